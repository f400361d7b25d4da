import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { findingsPart } from './audit-chain/findings.web.tsx'
import { DocumentParts } from './screens/own-work-parts.web.tsx'
import type { LazyKind } from './types/kind.web.ts'

/** Work due in documents of these types. */
export const dashboardOf = (types: readonly LazyKind[]): ModuleDashboard => ({
  parts: [findingsPart, { order: 40, isFor: () => true, draw: () => <DocumentParts kinds={types} /> }],
})
