package io.probelet.simulation.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.NavigableMap;

/** Lists of objects, page by page, all pages as of the version of the first. */
final class ListPages {
  private final ObjectStore store;

  ListPages(ObjectStore store) {
    this.store = store;
  }

  /**
   * The place where a page begins.
   *
   * @param after the key of the last object before it
   */
  private record Place(long version, String after) {
    static Place of(String token) {
      try {
        String text = new String(Base64.getUrlDecoder().decode(token), UTF_8);
        int split = text.indexOf(' ');
        return new Place(Long.parseLong(text.substring(0, split)), text.substring(split + 1));
      } catch (IllegalArgumentException | IndexOutOfBoundsException invalid) {
        throw RefusedRequest.badRequest("continue key is not valid: " + token);
      }
    }

    String token() {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString((version + " " + after).getBytes(UTF_8));
    }
  }

  ObjectNode page(ApiKind kind, ResourcePath path, Selector selector, ApiRequest request) {
    requireKnownVersion(request);
    String token = request.parameter("continue");
    Place place = token.isEmpty() ? new Place(store.version(), "") : Place.of(token);
    NavigableMap<String, ObjectNode> all =
        token.isEmpty()
            ? store.objects(kind.collection())
            : store.objectsAt(kind.collection(), place.version());
    int limit = limit(request);
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("kind", kind.kind() + "List").put("apiVersion", kind.apiVersion());
    ObjectNode metadata =
        list.putObject("metadata").put("resourceVersion", Long.toString(place.version()));
    ArrayNode items = list.putArray("items");
    String last = "";
    int remaining = 0;
    for (Map.Entry<String, ObjectNode> each : all.tailMap(place.after(), false).entrySet()) {
      if (!path.isIn(ObjectFields.namespace(each.getValue()))
          || !selector.matches(each.getValue())) {
        continue;
      }
      if (items.size() < limit) {
        items.add(item(kind, each.getValue()));
        last = each.getKey();
      } else {
        remaining++;
      }
    }
    if (remaining > 0) {
      metadata.put("continue", new Place(place.version(), last).token());
      if (selector.isAll()) {
        metadata.put("remainingItemCount", remaining);
      }
    }
    return list;
  }

  /** Lists from the cache have no pages. */
  private static int limit(ApiRequest request) {
    String limit = request.parameter("limit");
    int number = limit.isEmpty() ? 0 : Integer.parseInt(limit);
    boolean cached =
        request.parameter("resourceVersion").equals("0") && request.parameter("continue").isEmpty();
    return number == 0 || cached ? Integer.MAX_VALUE : number;
  }

  private void requireKnownVersion(ApiRequest request) {
    String version = request.parameter("resourceVersion");
    if (!version.isEmpty() && Long.parseLong(version) > store.version()) {
      throw new RefusedRequest(
          504,
          "Timeout",
          "Too large resource version: %s, current: %d".formatted(version, store.version()),
          Duration.ofSeconds(1));
    }
  }

  /** Lists of built-in kinds do not repeat the kind. */
  private static ObjectNode item(ApiKind kind, ObjectNode object) {
    if (kind.is(ApiKind.Trait.CUSTOM)) {
      return object;
    }
    ObjectNode item = JsonNodeFactory.instance.objectNode();
    object
        .properties()
        .forEach(each -> {
          if (!each.getKey().equals("kind") && !each.getKey().equals("apiVersion")) {
            item.set(each.getKey(), each.getValue());
          }
        });
    return item;
  }
}
