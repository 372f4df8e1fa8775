package io.probelet.web.http;

import java.util.List;

/** What answers on one path: GET and HEAD, or POST, or these with PUT and DELETE. */
public sealed interface Route permits Resource, PostResource, GuardedResource, ObjectsResource {
  /** {@return the methods that are answered} */
  List<String> methods();
}
