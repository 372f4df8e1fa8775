package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.probelet.document.selector.LabelSelector;
import java.util.List;
import java.util.function.Consumer;

/** Reads lists page by page, so that what is in memory does not grow with the cluster. */
final class ClusterReader {
  private static final long PAGE = 250;

  private final KubernetesClient client;

  ClusterReader(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Hands over each object.
   *
   * @param namespaces where; empty means everywhere, and cluster-scoped kinds
   * @param selector which of them
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
   */
  <T extends HasMetadata> void each(
      Class<T> kind, List<String> namespaces, LabelSelector selector, Consumer<? super T> taker) {
    each(client.resources(kind), namespaces, selector, taker);
  }

  /** Hands over each object of a kind the client has no model of. */
  <T extends HasMetadata, L extends KubernetesResourceList<T>> void each(
      MixedOperation<T, L, Resource<T>> all,
      List<String> namespaces,
      LabelSelector selector,
      Consumer<? super T> taker) {
    if (namespaces.isEmpty()) {
      pages(selected(all.inAnyNamespace(), selector), taker);
    }
    for (String namespace : namespaces) {
      pages(selected(all.inNamespace(namespace), selector), taker);
    }
  }

  private static <T extends HasMetadata, L extends KubernetesResourceList<T>>
      FilterWatchListDeletable<T, L, Resource<T>> selected(
          FilterWatchListDeletable<T, L, Resource<T>> all, LabelSelector selector) {
    return selector.isEmpty() ? all : all.withLabelSelector(selector.query());
  }

  private static <T extends HasMetadata, L extends KubernetesResourceList<T>> void pages(
      FilterWatchListDeletable<T, L, Resource<T>> list, Consumer<? super T> taker) {
    String next = null;
    do {
      L page = list.list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      page.getItems().forEach(taker);
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }
}
