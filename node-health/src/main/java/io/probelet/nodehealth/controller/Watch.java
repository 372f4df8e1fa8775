package io.probelet.nodehealth.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows all objects of one kind, through lost connections and expired versions. */
final class Watch<T extends HasMetadata> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** Few enough for a page of nodes to be read in a small heap. */
  private static final long PAGE = 200;

  private final String kind;
  private final Observer<T> observer;
  private final SharedIndexInformer<T> informer;
  private String lastTrouble = "";

  /** Told what happens, by one thread at a time; must not block. */
  interface Observer<T> {
    /** A new or changed object. */
    void changed(T object);

    /** One that is gone; of its fields there may be metadata only. */
    void gone(T object);

    /** After each list, when all of it has been told. */
    void listed();

    /** The API server does not serve this kind any more. */
    void unserved();
  }

  private Watch(
      String kind, SharedIndexInformer<T> informer, Supplier<T> blank, Observer<T> observer) {
    this.kind = kind;
    this.observer = observer;
    this.informer =
        informer
            .itemStore(new ThinStore<>(blank))
            .addEventHandler(new Events())
            .exceptionHandler((_, problem) -> goOnAfter(problem));
    var _ = this.informer.start();
  }

  static Watch<NodeObject> nodes(KubernetesClient client, Observer<NodeObject> observer) {
    return new Watch<>(
        "Node",
        client.resources(NodeObject.class).withLimit(PAGE).runnableInformer(0),
        NodeObject::new,
        observer);
  }

  /**
   * Follows any kind.
   *
   * @param namespace in which; null for all
   */
  static Watch<GenericKubernetesResource> generic(
      KubernetesClient client,
      Kind kind,
      @Nullable String namespace,
      Observer<GenericKubernetesResource> observer) {
    ResourceDefinitionContext context =
        new ResourceDefinitionContext.Builder()
            .withGroup(kind.group())
            .withVersion(kind.version())
            .withKind(kind.kind())
            .withPlural(kind.plural())
            .withNamespaced(kind.namespaced())
            .build();
    var all = client.genericKubernetesResources(context);
    return new Watch<>(
        kind.kind(),
        (namespace == null ? all.inAnyNamespace() : all.inNamespace(namespace))
            .withLimit(PAGE)
            .runnableInformer(0),
        () -> {
          GenericKubernetesResource blank = new GenericKubernetesResource();
          blank.setKind(kind.kind());
          return blank;
        },
        observer);
  }

  @Override
  public void close() {
    informer.close();
  }

  private boolean goOnAfter(Throwable problem) {
    String trouble = String.valueOf(problem.getMessage());
    if (!trouble.equals(lastTrouble)) { // once, not at every attempt
      lastTrouble = trouble;
      LOG.warn("kind={} watch interrupted, will be taken up again: {}", kind, trouble);
    }
    if (code(problem) == 404) {
      observer.unserved();
    }
    return true;
  }

  private static int code(Throwable problem) {
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException refused) {
        return refused.getCode();
      }
    }
    return 0;
  }

  private final class Events implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      observer.changed(object);
    }

    @Override
    public void onUpdate(T thin, T object) {
      observer.changed(object);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      observer.gone(object);
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      lastTrouble = "";
      observer.listed();
    }
  }
}
