package io.probelet.runtime.cri;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ListContainersResponse;
import io.probelet.runtime.cri.v1.ListPodSandboxResponse;
import io.probelet.runtime.cri.v1.PodSandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads repeated lists of a runtime. For a known item it reads only id, state and creation time,
 * and returns the same object if these are unchanged: the rest, mostly labels and annotations,
 * never changes. Objects contain only the fields that are used.
 *
 * <p>Not thread-safe.
 */
final class ListReader<T> {
  private final Tags tags;
  private final ItemParser<T> parser;
  private Map<String, Item<T>> known = Map.of();
  private int length;

  /** Parses an item. */
  private interface ItemParser<T> {
    T parse(CodedInputStream bytes) throws IOException;
  }

  /** The tags of a list's items and of the items' own fields. */
  private record Tags(int item, int id, int state, int createdAt) {
    static Tags of(int item, int id, int state, int createdAt) {
      return new Tags(
          item << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED,
          id << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED,
          state << 3 | WireFormat.WIRETYPE_VARINT,
          createdAt << 3 | WireFormat.WIRETYPE_VARINT);
    }
  }

  /** The fields that reveal a change, and the item. */
  private record Item<T>(int state, long createdAt, T item) {
    boolean isStill(int nowState, long nowCreatedAt) {
      return state == nowState && createdAt == nowCreatedAt;
    }
  }

  private ListReader(Tags tags, ItemParser<T> parser) {
    this.tags = tags;
    this.parser = parser;
  }

  /** {@return a reader for {@code ListContainers}} */
  static ListReader<Container> containers() {
    return new ListReader<>(
        Tags.of(
            ListContainersResponse.CONTAINERS_FIELD_NUMBER,
            Container.ID_FIELD_NUMBER,
            Container.STATE_FIELD_NUMBER,
            Container.CREATED_AT_FIELD_NUMBER),
        bytes -> Compact.of(Container.parseFrom(bytes)));
  }

  /** {@return a reader for {@code ListPodSandbox}} */
  static ListReader<PodSandbox> sandboxes() {
    return new ListReader<>(
        Tags.of(
            ListPodSandboxResponse.ITEMS_FIELD_NUMBER,
            PodSandbox.ID_FIELD_NUMBER,
            PodSandbox.STATE_FIELD_NUMBER,
            PodSandbox.CREATED_AT_FIELD_NUMBER),
        bytes -> Compact.of(PodSandbox.parseFrom(bytes)));
  }

  /**
   * Reads a list.
   *
   * @throws InvalidProtocolBufferException if it is malformed; the reader then keeps its previous
   *     state
   */
  List<T> read(byte[] answer) throws InvalidProtocolBufferException {
    Map<String, Item<T>> now = HashMap.newHashMap(known.size());
    List<T> items = new ArrayList<>(known.size());
    try {
      CodedInputStream list = CodedInputStream.newInstance(answer);
      for (int tag = list.readTag(); tag != 0; tag = list.readTag()) {
        if (tag == tags.item()) {
          items.add(item(list, answer, now));
        } else {
          skip(list, tag);
        }
      }
    } catch (InvalidProtocolBufferException broken) {
      throw broken;
    } catch (IOException never) { // reading an array has no other errors
      throw new InvalidProtocolBufferException(never);
    }
    known = now;
    length = answer.length;
    return items;
  }

  /** {@return the expected size of the next list if nothing changes, in bytes} */
  int expectedLength() {
    return length;
  }

  private T item(CodedInputStream list, byte[] answer, Map<String, Item<T>> now)
      throws IOException {
    int length = list.readRawVarint32();
    int start = list.getTotalBytesRead();
    int outer = list.pushLimit(length);
    String id = "";
    int state = 0;
    long createdAt = 0;
    for (int tag = list.readTag(); tag != 0; tag = list.readTag()) {
      if (tag == tags.id()) {
        id = list.readString();
      } else if (tag == tags.state()) {
        state = list.readEnum();
      } else if (tag == tags.createdAt()) {
        createdAt = list.readInt64();
      } else {
        skip(list, tag);
      }
    }
    list.popLimit(outer);
    Item<T> before = known.get(id);
    Item<T> item =
        before != null && before.isStill(state, createdAt)
            ? before
            : new Item<>(
                state,
                createdAt,
                parser.parse(CodedInputStream.newInstance(answer, start, length)));
    now.put(id, item);
    return item.item();
  }

  private static void skip(CodedInputStream list, int tag) throws IOException {
    if (!list.skipField(tag)) {
      throw new InvalidProtocolBufferException("unexpected end of a group");
    }
  }
}
