package io.probelet.nodehealth.controller;

import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what a watch shows to the loop. Of several changes of one object that wait, only the last
 * counts, so that no more wait than there are objects.
 *
 * @param <T> what is kept of an object
 */
class WatchFeed<T> implements Observer<T> {
  private final ReconcileLoop loop;
  private final Object kind;
  private final Consumer<Item<T>> changed;
  private final Consumer<Item<T>> gone;
  private final Runnable listed;

  private record Key(Object kind, @Nullable String namespace, String name) {}

  /**
   * Begins.
   *
   * @param kind of the objects, as no other feed of the loop names it
   * @param changed takes new and changed objects, on the loop's thread
   * @param gone takes those that are gone
   * @param listed called once all that exist have been shown
   */
  WatchFeed(
      ReconcileLoop loop,
      Object kind,
      Consumer<Item<T>> changed,
      Consumer<Item<T>> gone,
      Runnable listed) {
    this.loop = loop;
    this.kind = kind;
    this.changed = changed;
    this.gone = gone;
    this.listed = listed;
  }

  @Override
  public void changed(Item<T> item) {
    loop.post(new Key(kind, item.namespace(), item.name()), () -> changed.accept(item));
  }

  @Override
  public void gone(Item<T> item) {
    // Not in place of a waiting change: that may be of another object of the same name.
    loop.post(() -> gone.accept(item));
  }

  @Override
  public void listed() {
    loop.post(listed);
  }
}
