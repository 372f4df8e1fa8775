package io.probelet.runtime.cri;

import static org.awaitility.Awaitility.await;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Remembers what a runtime told last of each pod. */
final class ObservedPods implements RuntimeListener {
  private final Map<PodRef, PodObservation> last = new ConcurrentHashMap<>();
  private final AtomicInteger told = new AtomicInteger();

  @Override
  public void observed(PodObservation observation) {
    last.put(observation.pod(), observation);
    told.incrementAndGet();
  }

  @Override
  public void gone(PodRef pod) {
    last.remove(pod);
    told.incrementAndGet();
  }

  /** {@return how often anything was told} */
  int told() {
    return told.get();
  }

  int size() {
    return last.size();
  }

  Set<PodRef> all() {
    return Set.copyOf(last.keySet());
  }

  @Nullable PodObservation get(PodRef pod) {
    return last.get(pod);
  }

  /** Waits for a container to be as it should. */
  ContainerObservation until(PodRef pod, String name, Predicate<ContainerObservation> wanted) {
    return await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> container(pod, name), each -> each != null && wanted.test(each));
  }

  @Nullable ContainerObservation container(PodRef pod, String name) {
    PodObservation observation = last.get(pod);
    return observation == null ? null : observation.containers().get(name);
  }
}
