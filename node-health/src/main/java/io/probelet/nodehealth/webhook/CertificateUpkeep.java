package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.Answer.Done;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.election.Term;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the webhook's certificate in a Secret, from which all agents serve it, and tells the API
 * server to trust it. Trust in a new certificate is given before anyone serves it, and trust in the
 * one before it is kept, so that no request fails meanwhile; after a crash in between the next
 * round begins anew.
 */
public final class CertificateUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateUpkeep.class);
  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final String PREVIOUS = "previous.crt";

  private final ApiServer api;
  private final TimeSource time;
  private final String namespace;
  private final String secret;
  private final String configuration;
  private final List<String> names;

  /**
   * Creates it.
   *
   * @param api whom to write to
   * @param time the clocks
   * @param namespace of the Secret and of the Service
   * @param service the webhook's Service; the Secret is called so too
   * @param configuration the ValidatingWebhookConfiguration's name
   */
  public CertificateUpkeep(
      ApiServer api, TimeSource time, String namespace, String service, String configuration) {
    this.api = api;
    this.time = time;
    this.namespace = namespace;
    this.secret = service;
    this.configuration = configuration;
    String host = service + "." + namespace + ".svc";
    this.names = List.of(host, host + ".cluster.local", service + "." + namespace);
  }

  /**
   * Reads what to serve.
   *
   * @return the certificate; empty if there is none yet or it cannot be read
   */
  public Optional<ServingCertificate> current() {
    return api.get(path()) instanceof Done(JsonNode found) ? read(found) : Optional.empty();
  }

  /**
   * Makes, renews and publishes the certificate where that is due; for the leader, every now and
   * then.
   *
   * @param term ours
   */
  public void round(Term term) {
    Answer answer = api.get(path());
    JsonNode found = answer instanceof Done(JsonNode body) ? body : MissingNode.getInstance();
    if (found.isMissingNode() && !answer.isNotFound()) {
      LOG.warn("secret={} webhook certificate not looked after: {}", secret, answer.summary());
      return;
    }
    ServingCertificate old = found.isMissingNode() ? null : read(found).orElse(null);
    if (old != null && !old.isDue(names, time.wallTime())) {
      trust(term, old.certificatePem() + text(found, PREVIOUS));
      return;
    }
    ServingCertificate made = ServingCertificate.make(names, time.wallTime(), VALIDITY);
    String previous = old == null ? "" : old.certificatePem();
    if (!trust(term, made.certificatePem() + previous) || !term.isOn()) {
      return;
    }
    ObjectNode object = secret(made, previous);
    Answer written;
    if (found.isMissingNode()) {
      written = api.create("/api/v1/namespaces/" + namespace + "/secrets", object);
    } else {
      ((ObjectNode) object.path("metadata"))
          .set("resourceVersion", found.at("/metadata/resourceVersion"));
      written = api.replace(path(), object);
    }
    LOG.info("secret={} new webhook certificate: {}", secret, written.summary());
  }

  private boolean trust(Term term, String bundle) {
    String path =
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/" + configuration;
    Answer found = api.get(path);
    if (!(found instanceof Done(JsonNode webhooks))) {
      if (!found.isNotFound()) { // a cluster may do without the webhook, and needs no certificate
        LOG.warn("webhook={} cannot be told whom to trust: {}", configuration, found.summary());
      }
      return false;
    }
    String encoded = encoded(bundle);
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", webhooks.at("/metadata/resourceVersion").asText());
    int count = webhooks.path("webhooks").size();
    for (int i = 0; i < count; i++) {
      JsonNode client = webhooks.path("webhooks").path(i).path("clientConfig");
      if (!client.path("caBundle").asText().equals(encoded)) {
        patch
            .addObject()
            .put("op", "add")
            .put("path", "/webhooks/" + i + "/clientConfig/caBundle")
            .put("value", encoded);
      }
    }
    if (patch.size() == 1) {
      return true;
    }
    if (!term.isOn()) {
      return false;
    }
    Answer patched = api.patch(path, ApiServer.JSON_PATCH, patch);
    LOG.info("webhook={} trusts the certificate: {}", configuration, patched.summary());
    return patched instanceof Done;
  }

  private ObjectNode secret(ServingCertificate made, String previous) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
    object.putObject("metadata").put("name", secret).put("namespace", namespace);
    object
        .putObject("data")
        .put(CERTIFICATE, encoded(made.certificatePem()))
        .put(KEY, encoded(made.keyPem()))
        .put(PREVIOUS, encoded(previous));
    return object;
  }

  private static Optional<ServingCertificate> read(JsonNode found) {
    try {
      return Optional.of(ServingCertificate.read(text(found, CERTIFICATE), text(found, KEY)));
    } catch (GeneralSecurityException spoilt) {
      LOG.warn("the webhook's Secret has no certificate that can be used: {}", spoilt.getMessage());
      return Optional.empty();
    }
  }

  private static String text(JsonNode found, String key) {
    return new String(
        Base64.getMimeDecoder().decode(found.path("data").path(key).asText()),
        StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private String path() {
    return "/api/v1/namespaces/" + namespace + "/secrets/" + secret;
  }
}
