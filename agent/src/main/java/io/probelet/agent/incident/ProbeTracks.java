package io.probelet.agent.incident;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is remembered of each probe. Safe for use by several threads. */
final class ProbeTracks {
  private final Map<ProbeSubject, ProbeTrack> tracks = new ConcurrentHashMap<>();

  /** A container of a pod, whatever instance of it. */
  record Key(PodRef pod, String container) {}

  /**
   * How the containers beside one are doing.
   *
   * @param failing other containers with a failing probe
   * @param probed all containers that are probed
   */
  record Others(int failing, int probed) {}

  /** {@return the track of a probe, a new one if there is none} */
  ProbeTrack of(ProbeSubject subject) {
    return tracks.computeIfAbsent(subject, _ -> new ProbeTrack());
  }

  /** {@return the track of a probe; null if it has had no outcome} */
  @Nullable ProbeTrack get(ProbeSubject subject) {
    return tracks.get(subject);
  }

  /** {@return how the containers beside this one are doing now} */
  Others beside(PodRef pod, String container) {
    Set<Key> failing = new HashSet<>();
    Set<Key> probed = new HashSet<>();
    tracks.forEach((subject, track) -> {
      Key key = new Key(subject.pod(), subject.container());
      probed.add(key);
      if (track.failing()) {
        failing.add(key);
      }
    });
    failing.remove(new Key(pod, container));
    return new Others(failing.size(), probed.size());
  }

  void remove(ProbeSubject subject) {
    tracks.remove(subject);
  }

  void remove(PodRef pod) {
    tracks.keySet().removeIf(subject -> subject.pod().equals(pod));
  }
}
