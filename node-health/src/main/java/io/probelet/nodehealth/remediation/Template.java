package io.probelet.nodehealth.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A remediation template as it is in the cluster.
 *
 * @param complete whether it has a {@code spec.template} at all
 * @param spec its {@code spec.template.spec}, which becomes the remediation's spec; not to be
 *     changed; null if there is none
 * @param severalOfItsKind whether its annotation allows several of its kind for one node
 */
public record Template(boolean complete, @Nullable JsonNode spec, boolean severalOfItsKind) {}
