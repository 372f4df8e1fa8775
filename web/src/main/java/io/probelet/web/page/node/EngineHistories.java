package io.probelet.web.page.node;

import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.api.ContainerView;
import io.probelet.web.http.Containers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Asks the engine for the histories of the containers that are drawn, and of no others, some at a
 * time: those of 500 containers are a hundred thousand outcomes, and no two containers are drawn at
 * once.
 */
final class EngineHistories implements ContainerFragments.Histories {
  private static final int MAX_CONTAINERS = 32;

  private final Containers containers;
  private final Deque<Name> announced = new ArrayDeque<>();
  private Map<Name, ContainerView> views = Map.of();

  private record Name(String namespace, String pod, String container) {
    static Name of(ContainerView view) {
      return new Name(view.namespace(), view.pod(), view.container());
    }
  }

  /** For one drawing on one thread, in the order of the announcements. */
  EngineHistories(Containers containers) {
    this.containers = containers;
  }

  @Override
  public void announce(ContainerView container) {
    announced.add(Name.of(container));
  }

  @Override
  public ContainerView of(ContainerView container) {
    Name name = Name.of(container);
    if (!views.containsKey(name) && announced.contains(name)) {
      views = next(name);
    }
    ContainerView drawn = views.get(name);
    return drawn == null ? container : drawn.withWarnings(container.warnings());
  }

  private Map<Name, ContainerView> next(Name first) {
    Set<Name> wanted = new HashSet<>();
    wanted.add(first);
    while (wanted.size() < MAX_CONTAINERS && !announced.isEmpty()) {
      wanted.add(announced.poll());
    }
    Map<Name, ContainerView> read = HashMap.newHashMap(wanted.size());
    try {
      containers
          .snapshots(
              HistoryQuery.outcomes(ContainerView.MAX_HISTORY),
              (pod, name) -> wanted.contains(new Name(pod.namespace(), pod.name(), name)))
          .stream()
          .map(ContainerView::drawn)
          .forEach(view -> read.put(Name.of(view), view));
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the server is stopping", stopping);
    } catch (TimeoutException | ExecutionException silent) {
      throw new IllegalStateException(silent.getMessage(), silent);
    }
    return read;
  }
}
