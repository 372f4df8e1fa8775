package io.probelet.web.http;

import java.util.List;

/** What answers on one path: either GET and HEAD, or POST. */
public sealed interface Route permits Resource, PostResource, GuardedResource {
  /** {@return the methods that are answered} */
  List<String> methods();
}
