import type { Evidence } from '#kernel/evidence.ts'
import type { Module } from '#server/engine/module.ts'

/** Everything that is evidence, of the modules that declare it. */
export const evidencesOf = (modules: readonly Module[]): Evidence[] =>
  modules.flatMap((module) => module.evidence ?? [])
