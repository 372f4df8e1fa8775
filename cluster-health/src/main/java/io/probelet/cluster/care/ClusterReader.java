package io.probelet.cluster.care;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.Threads;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads lists page by page, so that memory grows neither with the cluster nor with the size of its
 * objects.
 */
final class ClusterReader {
  private static final int PAGE = 250;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final ApiServer api;

  ClusterReader(KubernetesClient client, Threads threads) {
    this.client = client;
    api = ApiServer.of(client, TIMEOUT, threads);
  }

  /**
   * Passes each object.
   *
   * @param namespaces the namespaces; empty for all, and for cluster-scoped kinds
   * @throws KubernetesClientException if the API server rejects the request, or an object is too
   *     large
   */
  <T extends HasMetadata> void each(
      Class<T> kind, List<String> namespaces, LabelSelector selector, Consumer<? super T> taker) {
    each(kind, namespaces, selector, taker, ClusterReader::refuse);
  }

  /** Passes each object; an object that is too large does not hide the others. */
  <T extends HasMetadata> void each(
      Class<T> kind,
      List<String> namespaces,
      LabelSelector selector,
      Consumer<? super T> taker,
      Consumer<TooLarge> large) {
    String plural = HasMetadata.getPlural(kind);
    for (String path : paths(HasMetadata.getApiVersion(kind), plural, namespaces)) {
      read(kind, selection(HasMetadata.getKind(kind), path, selector), taker, large);
    }
  }

  /**
   * {@return a kind without a model in the client}
   *
   * @throws KubernetesClientException if the API server does not have it
   */
  ResourceDefinitionContext kind(String apiVersion, String kind) {
    APIResourceList served = client.getApiResources(apiVersion);
    if (served != null) {
      for (APIResource each : served.getResources()) {
        if (each.getKind().equals(kind) && each.getName().indexOf('/') < 0) {
          return ResourceDefinitionContext.fromApiResource(apiVersion, each);
        }
      }
    }
    throw new KubernetesClientException(
        "the API server does not know kind %s of %s".formatted(kind, apiVersion));
  }

  /** Passes each object of a kind without a model in the client. */
  void each(
      ResourceDefinitionContext kind,
      List<String> namespaces,
      LabelSelector selector,
      Consumer<? super GenericKubernetesResource> taker) {
    String apiVersion =
        kind.getGroup() == null || kind.getGroup().isEmpty()
            ? kind.getVersion()
            : kind.getGroup() + "/" + kind.getVersion();
    for (String path : paths(apiVersion, kind.getPlural(), namespaces)) {
      read(
          GenericKubernetesResource.class,
          selection(kind.getKind(), path, selector),
          taker,
          ClusterReader::refuse);
    }
  }

  /**
   * {@return an object, read by a list of one, because the role allows list only; empty if it does
   * not exist}
   *
   * @throws KubernetesClientException if the API server rejects the request, or the object is too
   *     large
   */
  <T extends HasMetadata> Optional<T> listed(Class<T> kind, String namespace, String name) {
    String path =
        paths(HasMetadata.getApiVersion(kind), HasMetadata.getPlural(kind), List.of(namespace))
            .getFirst();
    Selection one = new Selection(HasMetadata.getKind(kind), path, "metadata.name=" + name, PAGE);
    List<T> found = new ArrayList<>();
    read(kind, one, found::add, ClusterReader::refuse);
    return found.stream().findFirst();
  }

  /**
   * {@return an object; empty if it does not exist}
   *
   * @throws KubernetesClientException if the API server rejects the request, or the object is too
   *     large
   */
  <T extends HasMetadata> Optional<T> named(Class<T> kind, String namespace, String name) {
    String path =
        paths(HasMetadata.getApiVersion(kind), HasMetadata.getPlural(kind), List.of(namespace))
            .getFirst();
    ApiResult answer = api.get(path + "/" + ApiPath.encoded(name), VerdictFormat.FIELDS);
    if (answer.isNotFound()) {
      return Optional.empty();
    }
    if (answer instanceof Done(ObjectNode object)) {
      return Optional.of(typed(object, kind));
    }
    throw failure(answer);
  }

  private static List<String> paths(String apiVersion, String plural, List<String> namespaces) {
    String root = ApiPath.root(apiVersion);
    return namespaces.isEmpty()
        ? List.of(root + "/" + plural)
        : namespaces.stream()
            .map(each -> root + "/namespaces/" + ApiPath.encoded(each) + "/" + plural)
            .toList();
  }

  private static Selection selection(String kind, String path, LabelSelector selector) {
    return new Selection(kind, path, "", selector.isEmpty() ? "" : selector.query(), PAGE);
  }

  private <T extends HasMetadata> void read(
      Class<T> type, Selection all, Consumer<? super T> taker, Consumer<TooLarge> large) {
    // The data of a Secret alone may be larger than most objects.
    ObjectLimits limits = type.equals(Secret.class) ? ObjectLimits.LARGE : ObjectLimits.USUAL;
    ApiResult answer =
        ObjectList.read(
            api,
            all,
            VerdictFormat.FIELDS,
            limits,
            new ObjectList.Taker() {
              @Override
              public void take(ObjectNode object) {
                taker.accept(typed(object, type));
              }

              @Override
              public void tooLarge(TooLarge object) {
                large.accept(object);
              }
            });
    if (!(answer instanceof Done)) {
      throw failure(answer);
    }
  }

  private static <T> T typed(ObjectNode object, Class<T> type) {
    try {
      return VerdictFormat.JSON.treeToValue(object, type);
    } catch (JsonProcessingException other) {
      throw new KubernetesClientException(other.getOriginalMessage(), other);
    }
  }

  private static void refuse(TooLarge object) {
    throw new KubernetesClientException(object.text());
  }

  private static KubernetesClientException failure(ApiResult answer) {
    return answer instanceof Refused(int code, String why, Duration _)
        ? new KubernetesClientException(new StatusBuilder().withCode(code).withMessage(why).build())
        : new KubernetesClientException(answer.summary());
  }
}
