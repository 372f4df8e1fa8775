package io.probelet.kube;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Puts WireMock in front of a fake API server, to inject network faults. */
public final class WireMockFront {
  private WireMockFront() {}

  /**
   * Starts a proxy for all requests but watches, which go to the server directly.
   *
   * @return the WireMock server, to be stopped by the caller; stubs of priority 1 take precedence
   */
  public static WireMockServer before(FakeApiServer server) {
    WireMockServer front = new WireMockServer(WireMockConfiguration.options().dynamicPort());
    front.start();
    front.stubFor(any(anyUrl()).atPriority(10).willReturn(aResponse().proxiedFrom(server.url())));
    front.stubFor(
        get(anyUrl())
            .withQueryParam("watch", equalTo("true"))
            .atPriority(5)
            .willReturn(
                aResponse()
                    .withStatus(307)
                    .withHeader("Location", server.url() + "{{{request.url}}}")
                    .withTransformers("response-template")));
    return front;
  }

  /** A client of such a proxy without its own retries, like the agent's. */
  public static KubernetesClient client(WireMockServer front) {
    return FakeApiServer.client(front.baseUrl());
  }
}
