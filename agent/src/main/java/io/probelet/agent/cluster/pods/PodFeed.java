package io.probelet.agent.cluster.pods;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.PodRef;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Watches the pods of one node, and reports why they are not known yet. */
public final class PodFeed implements AutoCloseable {
  /** A page of usual pods is about a MiB for the API server. */
  private static final int PAGE = 50;

  private final ApiServer api;
  private final Selection pods;
  private final PodFormat format;
  private final PodObserver observer;
  private final TimeSource time;
  private final RandomGenerator random;
  private @Nullable ResourceWatch<ClusterPod> watch;

  /** Creates a feed; it starts later. */
  public PodFeed(
      ApiServer api,
      String node,
      PodRules rules,
      PodListener listener,
      TimeSource time,
      RandomGenerator random) {
    this.api = api;
    this.pods = new Selection("Pod", "/api/v1/pods", "spec.nodeName=" + node, PAGE);
    PodRoom room = new PodRoom();
    this.format = new PodFormat(new ClusterPodReader(rules), room);
    this.observer = new PodObserver(listener, room);
    this.time = time;
    this.random = random;
  }

  /** Begins to list and watch. */
  public void start() {
    watch = ResourceWatch.startOnEachNode(api, pods, format, observer, time, random);
  }

  /** {@return why the pods are not known yet; empty once they were listed} */
  public Optional<String> problem() {
    return observer.listed ? Optional.empty() : Optional.of(observer.problem);
  }

  /** Ends the watch; the listener is left alone afterwards. */
  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    observer.end();
  }

  private static final class PodObserver implements Observer<ClusterPod> {
    private final PodListener listener;
    private final PodRoom room; // of the watch's thread, as the format's calls
    private volatile String problem = "the pods of this node have not been listed yet";
    private volatile boolean listed;
    private final Set<PodRef> there = new HashSet<>();
    private boolean ended;

    PodObserver(PodListener listener, PodRoom room) {
      this.listener = listener;
      this.room = room;
    }

    @Override
    public synchronized void changed(Item<ClusterPod> pod) {
      if (!ended) {
        there.add(pod.value().ref());
        listener.changed(pod.value());
      }
    }

    @Override
    public synchronized void gone(Item<ClusterPod> pod) {
      room.forget(pod.namespace(), pod.name());
      if (!ended) {
        there.remove(pod.value().ref());
        listener.removed(pod.value());
      }
    }

    /** An earlier feed may have reported pods that this one has never seen. */
    @Override
    public synchronized void listed() {
      if (!ended) {
        listener.listed(Set.copyOf(there));
        listed = true;
      }
    }

    @Override
    public void interrupted(String why) {
      problem = why;
    }

    synchronized void end() {
      ended = true;
    }
  }
}
