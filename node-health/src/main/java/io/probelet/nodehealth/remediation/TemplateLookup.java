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
   * The template exists.
   *
   * @param complete whether it has a {@code spec.template} at all
   * @param spec its {@code spec.template.spec}, which becomes the remediation's spec; not to be
   *     modified; null if there is none
   * @param severalOfItsKind whether its annotation allows several of its kind for one node
   */
  record Template(boolean complete, @Nullable JsonNode spec, boolean severalOfItsKind)
      implements TemplateLookup {}

  /** A permission is missing to read it, or to create a remediation from it. */
  record Forbidden(String why) implements TemplateLookup, KindState {}

  /**
   * It does not exist.
   *
   * @param why no such object, no such kind, or no namespace although its kind is namespaced
   */
  record Missing(String why) implements TemplateLookup, KindState {}

  /**
   * Finds a template. It is usable only if the kind of its remediations is, too. A missing
   * permission is reported first, because without it other problems are unknown.
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
     * @param namespaced whether they are namespaced
     */
    record Known(boolean namespaced) implements KindState {}
  }
}
