package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.probelet.checks.result.CheckResult;
import io.probelet.document.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;

/**
 * What a round makes of all CRDs.
 *
 * @param finding whether all of them are well
 * @param severalVersions those with objects stored in several versions; the others are not kept, as
 *     their schemas are what fills the memory
 */
record CrdReview(CheckResult finding, List<CustomResourceDefinition> severalVersions) {

  static CrdReview read(ClusterReader reader) {
    KindHealth all = new KindHealth();
    List<CustomResourceDefinition> severalVersions = new ArrayList<>();
    reader.each(
        CustomResourceDefinition.class,
        List.of(),
        LabelSelector.EVERYTHING,
        crd -> {
          all.add(crd);
          if (crd.getStatus() != null && crd.getStatus().getStoredVersions().size() > 1) {
            severalVersions.add(crd);
          }
        });
    return new CrdReview(all.result(), severalVersions);
  }
}
