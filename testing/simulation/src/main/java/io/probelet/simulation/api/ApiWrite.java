package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A write that took effect. Requests that changed nothing are not reported.
 *
 * @param process the name of the sender; that of a part of the control plane for its own writes
 * @param verb create, update, patch or delete
 * @param path of the request, with the subresource
 * @param before the object before; null if it was created. Must not be changed.
 * @param after the object afterwards; null if it is gone. Must not be changed.
 */
public record ApiWrite(
    String process,
    String verb,
    String path,
    @Nullable ObjectNode before,
    @Nullable ObjectNode after) {}
