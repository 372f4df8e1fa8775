package io.probelet.nodehealth.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an informer has to remember to tell new from changed and to notice what is gone: of each
 * object its name, identifier and version. We keep the rest ourselves, and once.
 */
final class ThinStore<T extends HasMetadata> implements ItemStore<T> {
  private final Supplier<T> blank;
  private final Map<String, T> items = new ConcurrentHashMap<>();

  ThinStore(Supplier<T> blank) {
    this.blank = blank;
  }

  @Override
  public String getKey(T object) {
    return Cache.metaNamespaceKeyFunc(object);
  }

  @Override
  public @Nullable T put(String key, T object) {
    T thin = blank.get();
    ObjectMeta metadata = new ObjectMeta();
    metadata.setName(object.getMetadata().getName());
    metadata.setNamespace(object.getMetadata().getNamespace());
    metadata.setUid(object.getMetadata().getUid());
    metadata.setResourceVersion(object.getMetadata().getResourceVersion());
    thin.setMetadata(metadata);
    thin.setApiVersion(object.getApiVersion());
    return items.put(key, thin);
  }

  @Override
  public @Nullable T remove(String key) {
    return items.remove(key);
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return items.values().stream();
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public @Nullable T get(String key) {
    return items.get(key);
  }

  @Override
  public boolean isFullState() {
    return false;
  }
}
