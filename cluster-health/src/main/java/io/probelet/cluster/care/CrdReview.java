package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.probelet.checks.result.CheckResult;
import io.probelet.document.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a round for all CRDs.
 *
 * @param finding whether all of them are healthy
 * @param problematic names of CRDs whose stored objects need a conversion webhook
 */
record CrdReview(CheckResult finding, List<String> problematic) {

  static CrdReview read(ClusterObjects objects) {
    KindHealth all = new KindHealth();
    List<String> problematic = new ArrayList<>();
    objects.each(
        CustomResourceDefinition.class,
        List.of(),
        LabelSelector.EVERYTHING,
        crd -> {
          all.add(crd);
          if (crd.noted()) {
            problematic.add(crd.name());
          }
        });
    return new CrdReview(all.result(), problematic);
  }
}
