package io.probelet.system;

import io.probelet.health.SystemClock;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.runtime.cri.KubeletStandIn;
import io.probelet.runtime.cri.PrivateContainerd;

/** A node: a containerd of its own, and who makes pods in it. */
final class ContainerdNode implements AutoCloseable {
  final PrivateContainerd containerd;
  final KubeletStandIn kubelet;
  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);

  ContainerdNode() throws Exception {
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
