package io.probelet.nodehealth.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.TemplateLookup.Forbidden;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of reading a template. */
public sealed interface TemplateLookup {
  /**
   * It is there.
   *
   * @param complete whether it has a {@code spec.template} at all
   * @param spec its {@code spec.template.spec}, which becomes the remediation's spec; not to be
   *     changed; null if there is none
   * @param severalOfItsKind whether its annotation allows several of its kind for one node
   */
  record Template(boolean complete, @Nullable JsonNode spec, boolean severalOfItsKind)
      implements TemplateLookup {}

  /** It cannot be read, or no remediation could be made from it: a permission is missing. */
  record Forbidden(String why) implements TemplateLookup, KindState {}

  /**
   * It is not there.
   *
   * @param why no such object, no such kind, or no namespace although its kind needs one
   */
  record Missing(String why) implements TemplateLookup, KindState {}

  /**
   * Finds a template. It is of use only if the kind of its remediations is, too; a missing
   * permission is named first, as without it nobody knows what else is missing.
   *
   * @param object the template, if there is one at that address
   */
  static TemplateLookup of(
      ObjectRef ref, KindState templates, KindState remediations, Optional<Template> object) {
    if (templates instanceof Forbidden forbidden) {
      return forbidden;
    }
    if (remediations instanceof Forbidden forbidden) {
      return forbidden;
    }
    if (templates instanceof Missing missing) {
      return missing;
    }
    if (remediations instanceof Missing missing) {
      return missing;
    }
    if (templates instanceof KindState.Known(boolean namespaced)
        && namespaced
        && ref.namespace() == null) {
      return new Missing("its kind requires a namespace, but none is set");
    }
    return object.isPresent() ? object.get() : new Missing("not found");
  }

  /** The state of a kind of templates or remediations. */
  public sealed interface KindState permits KindState.Pending, KindState.Known, Forbidden, Missing {
    /** It is being discovered, or its objects are being listed. */
    record Pending() implements KindState {}

    /**
     * All its objects are known.
     *
     * @param namespaced whether they are in namespaces
     */
    record Known(boolean namespaced) implements KindState {}
  }
}
