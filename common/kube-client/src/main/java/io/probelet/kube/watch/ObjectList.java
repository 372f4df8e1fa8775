package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;

/**
 * Reads all objects of a selection once, page by page as they arrive: only one tree of limited size
 * exists at a time. If only metadata is kept, only metadata is requested.
 */
public final class ObjectList {
  private static final String METADATA_OR_JSON =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1," + ApiServer.JSON_TYPE;

  private ObjectList() {}

  /** Receives objects one by one. */
  @FunctionalInterface
  public interface Taker {
    /** Receives an object. */
    void take(ObjectNode object);

    /** An object exists but is too large to read. Deciders must not treat it as gone. */
    default void tooLarge(TooLarge object) {
      take(object.identity());
    }
  }

  /**
   * Reads them.
   *
   * @param limits the limits of an object
   * @param taker takes each, on this thread
   * @return {@link ApiResult.Done} if all were read, else the failure, possibly after some objects
   */
  public static ApiResult read(
      ApiServer api, Selection selection, KeptFields fields, ObjectLimits limits, Taker taker) {
    String accepted = fields.isMetadataOnly() ? METADATA_OR_JSON : ApiServer.JSON_TYPE;
    try (PagedList pages = new PagedList(api, selection, accepted)) {
      return pages.read((JsonParser object) -> {
        switch (BoundedObject.read(object, fields, limits)) {
          case Whole(ObjectNode whole) -> taker.take(whole);
          case TooLarge large -> taker.tooLarge(large);
        }
      });
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return new Unanswered("interrupted");
    }
  }
}
