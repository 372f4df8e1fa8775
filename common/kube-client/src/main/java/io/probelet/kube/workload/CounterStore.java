package io.probelet.kube.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;

/** The store of the leases in which agents count restarts. */
public interface CounterStore {
  /** Reads the current lease. */
  ApiResult read(String name);

  /**
   * Creates a lease; a conflict if it exists.
   *
   * @param lease the whole lease
   */
  ApiResult create(ObjectNode lease);

  /** Changes a lease; a conflict if its version has changed. */
  ApiResult patch(String name, ObjectNode patch);

  /** {@return the namespace of the leases} */
  String namespace();

  /** {@return the store of a cluster} */
  static CounterStore of(ApiServer api, String namespace) {
    String collection = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    return new CounterStore() {
      @Override
      public ApiResult read(String name) {
        return api.get(collection + "/" + name, KeptFields.of("/metadata/annotations"));
      }

      @Override
      public ApiResult create(ObjectNode lease) {
        return api.create(collection, lease);
      }

      @Override
      public ApiResult patch(String name, ObjectNode patch) {
        return api.patch(collection + "/" + name, ApiServer.MERGE_PATCH, patch);
      }

      @Override
      public String namespace() {
        return namespace;
      }
    };
  }
}
