/**
 * Reads protobuf responses of an API server, which has protobuf for built-in kinds only. Fields are
 * skipped by their length, whereas JSON must be parsed to its end.
 */
@NullMarked
package io.probelet.kube.protobuf;

import org.jspecify.annotations.NullMarked;
