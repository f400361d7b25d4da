import { joinFeatures, type Module } from '#server/engine/module.ts'
import { documentAdvice } from './advice/advice.server.ts'
import { documentApproval } from './approval/approvers.server.ts'
import { SAFETY_SETTINGS_NAV } from './approval/settings-nav.ts'
import { documentAuditChain } from './audit-chain/check.server.ts'
import { documentForms } from './forms/declared.server.ts'
import { documentLifecycle } from './lifecycle/lifecycle.server.ts'
import { documentsNav } from './nav.ts'
import { documentPacks } from './packs/pack-run.server.ts'
import { documentPrinting } from './printing/print.server.ts'
import { documentReferences } from './references/seal-references.server.ts'
import { documentReview } from './review/review.server.ts'
import { documentEmails } from './sending/send.server.ts'
import { documentSettings } from './settings/settings.server.ts'
import { documentSharing } from './sharing/routes.server.ts'
import { documentSigning } from './signing/signing.server.ts'
import { documentSigningLinks } from './signing-links/routes.server.ts'
import { documentSignOffs } from './signoff/sign-off.server.ts'
import { templateUpdates } from './template-updates/improving.server.ts'
import { collectDocumentKinds, createFactsLookup, createRowHooksLookup } from './types/kinds.server.ts'

/** Creates the module for controlled documents of every type that the given modules declare. */
export function documentsModule(modules: readonly Module[]): Module {
  const kinds = collectDocumentKinds(modules)
  const factsOf = createFactsLookup(modules)
  return joinFeatures('documents', [
    { navigation: { settings: SAFETY_SETTINGS_NAV, ...documentsNav } },
    documentAuditChain(kinds),
    documentLifecycle(kinds, createRowHooksLookup(modules)),
    documentForms(kinds),
    documentSettings(kinds),
    documentApproval(kinds),
    documentReview(kinds),
    documentSigning(kinds, factsOf),
    documentSigningLinks(kinds),
    documentSignOffs(kinds, factsOf),
    documentPrinting(kinds),
    documentReferences,
    documentPacks(kinds),
    documentEmails(kinds),
    documentSharing(kinds),
    templateUpdates(kinds),
    documentAdvice(kinds),
  ])
}
