package io.probelet.agent.run;

import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.metrics.BuildInfo;
import java.util.function.Supplier;

/**
 * What HTTP and gRPC probes call themselves (H-2): {@code kube-probe} with the version of
 * Kubernetes, because servers were configured to let that in, or Probelet's own name. Probes under
 * way keep what they began with; safe for any thread.
 */
public final class UserAgent implements Supplier<String> {
  private final String own;
  private ProbeAgent chosen = ProbeAgent.KUBE_PROBE;
  private String kubernetes = ProbeService.KUBERNETES;
  private volatile String text;

  /** Begins as {@code kube-probe} of our rules' version, which is sent without an API server. */
  public UserAgent() {
    this(BuildInfo.version());
  }

  UserAgent(String version) {
    own = "probelet/" + version;
    text = header();
  }

  /** Chooses a name. */
  public synchronized void use(ProbeAgent name) {
    chosen = name;
    text = header();
  }

  /**
   * Records the cluster's version, which the kubelet would send.
   *
   * @param majorMinor such as {@code 1.36}
   */
  public synchronized void kubernetes(String majorMinor) {
    kubernetes = majorMinor;
    text = header();
  }

  private String header() {
    return switch (chosen) {
      case KUBE_PROBE -> "kube-probe/" + kubernetes;
      case PROBELET -> own;
    };
  }

  /** {@return the value of the header} */
  @Override
  public String get() {
    return text;
  }
}
