/**
 * The NodeHealthCheck resource as values: the user's spec and our status. Field names, defaults and
 * meanings are those of {@code remediation.medik8s.io/v1alpha1}, so that existing resources keep
 * working. A value of these types is always valid; readers reject invalid input before.
 */
@NullMarked
package io.probelet.nodehealth.resource;

import org.jspecify.annotations.NullMarked;
