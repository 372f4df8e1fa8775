package io.probelet.controller;

import io.probelet.controller.remediation.Webhook;
import io.probelet.controller.remediation.WebhookListener;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.remediator.controller.HookEndpoint;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a controller reaches besides the API server: real in a cluster, scripted in a simulation.
 *
 * @param time its clocks and threads
 * @param random names this replica's candidates, and spreads its requests; used by several threads
 * @param http opens the server of its status and metrics
 * @param webhooks opens the server of the admission webhooks
 * @param hooks calls the endpoints of hook remediations
 */
public record ControllerPorts(
    TimeSource time,
    RandomGenerator random,
    HttpServers http,
    WebhookListener.Opener webhooks,
    HookEndpoint hooks) {
  /** {@return those of this machine} */
  public static ControllerPorts ofMachine() {
    return new ControllerPorts(
        SystemClock.INSTANCE,
        new Random(new SecureRandom().nextLong()), // replicas that start together must differ
        ControllerPorts::listen,
        Webhook::listen,
        HookEndpoint.HTTPS);
  }

  private static HttpServer listen(
      ListenAddress address,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    ProbeLoops loops = ProbeLoops.start(1, "http-", SystemClock.INSTANCE);
    try {
      HttpEndpoint endpoint =
          new HttpEndpoint(address, loops.all().getFirst().eventLoop(), resources, hosts);
      return new OwnLoop(endpoint, loops);
    } catch (IOException taken) {
      loops.close();
      throw taken;
    }
  }

  /** A server on a loop that ends with it. */
  private record OwnLoop(HttpEndpoint endpoint, ProbeLoops loops) implements HttpServer {
    @Override
    public ListenAddress address() {
      return endpoint.address();
    }

    @Override
    public void serve(String path, Resource resource) {
      endpoint.serve(path, resource);
    }

    @Override
    public void close() {
      endpoint.close();
      loops.close();
    }
  }
}
