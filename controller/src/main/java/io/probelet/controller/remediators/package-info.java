/** The remediators as a part of the controller, and what is shown of them over HTTP. */
@NullMarked
package io.probelet.controller.remediators;

import org.jspecify.annotations.NullMarked;
