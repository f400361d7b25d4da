import { type Module, moduleOf } from '#server/engine/module.ts'
import { advice } from './advice/advice.server.ts'
import { approval } from './approval/approvers.server.ts'
import { SAFETY_SETTINGS_NAV } from './approval/settings-nav.ts'
import { auditChain } from './audit-chain/check.server.ts'
import { documentForms } from './forms/declared.server.ts'
import { documentLifecycle } from './lifecycle/lifecycle.server.ts'
import { nav } from './nav.ts'
import { packs } from './packs/pack-run.server.ts'
import { printing } from './printing/print.server.ts'
import { references } from './references/where-used.server.ts'
import { review } from './review/review.server.ts'
import { sending } from './sending/send.server.ts'
import { documentSettings } from './settings/settings.server.ts'
import { sharing } from './sharing/routes.server.ts'
import { documentSigning } from './signing/signing.server.ts'
import { signOffs } from './signoff/sign-off.server.ts'
import { templateUpdates } from './template-updates/improving.server.ts'
import { documentKindsOf, rowRulesOf } from './types/kinds.server.ts'

/** Controlled documents of every type that the modules declare. */
export function documentsModule(modules: readonly Module[]): Module {
  const kinds = documentKindsOf(modules)
  return moduleOf('documents', [
    { navigation: { settings: SAFETY_SETTINGS_NAV, ...nav } },
    auditChain(kinds),
    documentLifecycle(kinds, rowRulesOf(modules)),
    documentForms(kinds),
    documentSettings(kinds),
    approval(kinds),
    review(kinds),
    documentSigning(kinds),
    signOffs(kinds),
    printing(kinds),
    references,
    packs(kinds),
    sending(kinds),
    sharing(kinds),
    templateUpdates(kinds),
    advice(kinds),
  ])
}
