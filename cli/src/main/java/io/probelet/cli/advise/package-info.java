/** The outputs of {@code probelet advise}: text, patches, and marks in manifests. */
@NullMarked
package io.probelet.cli.advise;

import org.jspecify.annotations.NullMarked;
