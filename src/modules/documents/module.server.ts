import type { Module } from '#server/engine/module.ts'
import { routesForPack } from '#server/engine/route.ts'
import { adoption } from '#server/evidence/adopt.ts'
import { headSigning } from '#server/evidence/sign-heads.ts'
import { documentOpening } from './access-log/document-opening.ts'
import { adviceNotice, asking } from './advice/advice.server.ts'
import { adviceRequest } from './advice/advice-request.ts'
import { approveNotice, tellNewApprovers, tellWhoApproves } from './approval/approve-notice.server.ts'
import { approversRoute } from './approval/approvers.server.ts'
import { decidedNotice, tellWhoWrote } from './approval/decided-notice.server.ts'
import { SETTINGS } from './approval/settings-nav.ts'
import { evidenceChecking } from './audit-chain/check.server.ts'
import { documentEvidenceOf } from './audit-chain/document-evidence.ts'
import { sealHead } from './audit-chain/head.ts'
import { evidenceCheck, evidenceFinding } from './audit-chain/outcome.ts'
import { commands } from './commands.server.ts'
import { declaredForms } from './forms/declared.server.ts'
import { formEvidence } from './forms/form-evidence.ts'
import { formRoutes } from './forms/routes.server.ts'
import { formVersions } from './forms/versions.server.ts'
import { lifecycle } from './lifecycle/lifecycle.server.ts'
import { listRoutes } from './lifecycle/list-routes.server.ts'
import { modelRoutes } from './lifecycle/models.server.ts'
import { newerRoutes } from './lifecycle/newer.server.ts'
import { ownWork } from './lifecycle/own-work.server.ts'
import { nav } from './nav.ts'
import { documentPack, packEvidence } from './packs/document-pack.ts'
import { packRoutes } from './packs/pack-routes.server.ts'
import { packRun } from './packs/pack-run.server.ts'
import { packTidying } from './packs/tidy-packs.server.ts'
import { keepPrints } from './printing/keep-prints.server.ts'
import { keptPrintRoute } from './printing/kept-print-route.server.ts'
import { pdfRoute } from './printing/print.server.ts'
import { whereUsed } from './references/where-used.server.ts'
import { reviewReminder } from './review/review.server.ts'
import { sendRoute } from './sending/send.server.ts'
import { kindSettingsRoute } from './settings/kinds-route.server.ts'
import { numbering } from './settings/numbering.ts'
import { reviewPeriod } from './settings/review-period.ts'
import { safetySettings } from './settings/safety-settings.ts'
import { settingBehaviours } from './settings/settings.server.ts'
import { packLink } from './sharing/pack-link.ts'
import { packLinks, sharingRoutes } from './sharing/routes.server.ts'
import { carriedRoute } from './signing/carried.server.ts'
import { signing } from './signing/signing.server.ts'
import { remindToSign, settleSignOffs, tellAsked, tellJoined } from './signoff/reminders.server.ts'
import { signOffRoutes } from './signoff/routes.server.ts'
import { signNotice } from './signoff/sign-notice.server.ts'
import { signingOff } from './signoff/sign-off.server.ts'
import { signOff, signOffPerson } from './signoff/sign-off.ts'
import { signedBeforeRoute } from './signoff/signed-before.server.ts'
import { improvingRoutes } from './template-updates/improving.server.ts'
import { document, seal, signature } from './types/document.ts'
import { documentPrint } from './types/document-print.ts'
import { documentSending } from './types/document-sending.ts'
import { formVersion } from './types/form-version.ts'
import { kindsOf, rowRulesOf } from './types/kinds.server.ts'
import { documentReference } from './types/reference.ts'

/** Controlled documents of all kinds that the areas declare: each leads the one life. */
export function documents(areas: readonly Module[]): Module {
  const kinds = kindsOf(areas)
  const rulesFor = rowRulesOf(areas)
  const making = packRun(kinds)
  const [toSign, toApprove, decided] = [signNotice(kinds), approveNotice(kinds), decidedNotice(kinds)]
  const advised = adviceNotice(kinds)
  return {
    name: 'documents',
    navigation: { settings: SETTINGS, ...nav },
    resources: [
      document,
      signature,
      seal,
      documentPrint,
      documentReference,
      documentPack,
      documentSending,
      packLink,
      sealHead,
      evidenceCheck,
      evidenceFinding,
      signOff,
      signOffPerson,
      safetySettings,
      formVersion,
      reviewPeriod,
      numbering,
      documentOpening,
      adviceRequest,
      ...kinds.map((k) => k.resource),
    ],
    behaviours: [
      signing(kinds),
      packLinks,
      signingOff(kinds),
      asking(advised),
      formVersions(kinds),
      ...settingBehaviours(kinds),
      ...kinds.map((k) => lifecycle(k, rulesFor(k.kind))),
    ],
    routes: routesForPack('safety', [
      ...kinds.flatMap((k) => [
        ...listRoutes(k),
        ...formRoutes(k),
        ...modelRoutes(k),
        pdfRoute(k),
        signedBeforeRoute(k),
      ]),
      keptPrintRoute(kinds),
      sendRoute(kinds),
      carriedRoute,
      ...signOffRoutes,
      approversRoute,
      kindSettingsRoute(kinds),
      ...ownWork,
      ...whereUsed,
      ...packRoutes(kinds, making),
      ...sharingRoutes(kinds),
      ...newerRoutes(kinds),
      ...improvingRoutes(kinds),
    ]),
    evidence: [documentEvidenceOf(kinds), packEvidence, formEvidence],
    referenceData: [adoption, declaredForms(kinds)],
    demo: () => import('./demo.server.ts'),
    commands,
    batchJobs: [making],
    notifications: [toSign, toApprove, decided, advised],
    handlers: [keepPrints(kinds), tellAsked(kinds, toSign), tellWhoApproves(toApprove), tellWhoWrote(decided)],
    schedules: [
      reviewReminder(kinds),
      headSigning,
      evidenceChecking,
      tellJoined(kinds, toSign),
      remindToSign(kinds),
      tellNewApprovers(toApprove),
      settleSignOffs,
      packTidying,
    ],
  }
}
