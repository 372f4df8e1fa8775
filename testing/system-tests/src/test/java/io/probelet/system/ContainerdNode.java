package io.probelet.system;

import io.probelet.health.SystemClock;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.runtime.cri.KubeletStandIn;
import io.probelet.runtime.cri.PrivateContainerd;

/** A node: a containerd of its own, and who makes pods in it. */
public final class ContainerdNode implements AutoCloseable {
  /** What runs the containers. */
  public final PrivateContainerd containerd;

  /** Who makes pods in it. */
  public final KubeletStandIn kubelet;

  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);

  /** Starts both. */
  public ContainerdNode() throws Exception {
    containerd = PrivateContainerd.start();
    kubelet = new KubeletStandIn(containerd.socket(), loops.all().getFirst().eventLoop());
  }

  @Override
  public void close() {
    kubelet.close();
    loops.close();
    containerd.close();
  }
}
