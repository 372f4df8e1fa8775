/** The rules of Kubernetes for names, including keys and values of labels. */
@NullMarked
package io.probelet.document.name;

import org.jspecify.annotations.NullMarked;
