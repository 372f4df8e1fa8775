package io.probelet.controller.remediation;

import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.CertificateFolder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What the API server needs for the webhook: the authority, for who serves it, and whom to ask and
 * to trust. Written by the administrator, as who may change the second can make the API server ask
 * anybody.
 */
public record WebhookSetup(String namespace, String service) {
  /** The Service in deploy/. */
  public static final String SERVICE = "probelet-webhook";

  /** The name by which the API server asks for the webhook. */
  public static String dnsName(String service, String namespace) {
    return service + "." + namespace + ".svc";
  }

  /** As YAML. */
  public String manifest(CertificateAuthority authority) {
    return """
    # Made by `probelet webhook-setup`, for `kubectl apply -f -`. Holds a private key: do not keep it elsewhere.
    apiVersion: v1
    kind: Secret
    metadata:
      name: %1$s-ca
      namespace: %2$s
    type: Opaque
    data:
      %4$s: %6$s
      %5$s: %7$s
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata:
      name: probelet-remediation
    webhooks:
    - name: nodehealthchecks.probelet.io
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      timeoutSeconds: 5
      clientConfig:
        caBundle: %6$s
        service:
          name: %1$s
          namespace: %2$s
          path: %3$s
      rules:
      - apiGroups: [remediation.medik8s.io]
        apiVersions: [v1alpha1]
        operations: [CREATE, UPDATE, DELETE]
        resources: [nodehealthchecks]
    """
        .formatted(
            service,
            namespace,
            WebhookServer.PATH,
            CertificateFolder.CA_CERTIFICATE,
            CertificateFolder.CA_KEY,
            encoded(authority.certificatePem()),
            encoded(authority.keyPem()));
  }

  /**
   * The configuration by which pods get the readiness gate, as another document of the manifest.
   * The API server goes on without it where it gets no answer in time.
   */
  public String gateManifest(CertificateAuthority authority) {
    return """
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: MutatingWebhookConfiguration
    metadata:
      name: probelet-readiness-gates
    webhooks:
    - name: readinessgates.probelet.io
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Ignore
      reinvocationPolicy: IfNeeded
      timeoutSeconds: 2
      clientConfig:
        caBundle: %4$s
        service:
          name: %1$s
          namespace: %2$s
          path: %3$s
      namespaceSelector:
        matchLabels:
          probelet.io/readiness-gates: enabled
      matchConditions:
      - name: has-probe-annotation
        expression: has(object.metadata.annotations) && 'probelet.io/probes' in object.metadata.annotations
      rules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE]
        resources: [pods]
        scope: Namespaced
    """
        .formatted(
            service, namespace, WebhookServer.GATE_PATH, encoded(authority.certificatePem()));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
