/**
 * Reads what an API server sends as protobuf: its own kinds only, custom resources are JSON. Fields
 * are passed over by their length, where JSON would have to be read to its end.
 */
@NullMarked
package io.probelet.kube.protobuf;

import org.jspecify.annotations.NullMarked;
