import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { Query } from '#server/data/filters.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { Room } from '#server/engine/room.ts'
import { type Route, routesOf } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { approversRoute } from './approval/approvers.server.ts'
import { safetySettings } from './approval/safety-settings.ts'
import { SETTINGS } from './approval/settings-nav.ts'
import { documentEvidenceOf } from './chain/document-evidence.ts'
import { commands } from './commands.server.ts'
import { adoption } from './evidence/adopt.server.ts'
import { evidenceChecking } from './evidence/check.server.ts'
import type { RoomWithEvidence } from './evidence/evidences.server.ts'
import { sealHead } from './evidence/head.ts'
import { evidenceCheck, evidenceFinding } from './evidence/outcome.ts'
import { headSigning } from './evidence/sign-heads.server.ts'
import { declaredForms } from './forms/declared.server.ts'
import { formEvidence } from './forms/form-evidence.ts'
import { formRoutes } from './forms/routes.server.ts'
import { formVersions } from './forms/versions.server.ts'
import { document, seal, signature } from './kinds/document.ts'
import { formVersion } from './kinds/form-version.ts'
import type { DocumentKind } from './kinds/kind.ts'
import { kindsOf } from './kinds/kinds.server.ts'
import { documentReference } from './kinds/reference.ts'
import { lifecycle } from './life/lifecycle.server.ts'
import { modelRoutes } from './life/models.server.ts'
import { newerRoutes } from './life/newer.server.ts'
import { ownWork } from './life/own-work.server.ts'
import { documentPack, packEvidence } from './packs/document-pack.ts'
import { packRoutes } from './packs/pack-routes.server.ts'
import { documentPrint } from './printing/document-print.ts'
import { keepPrints } from './printing/keep-prints.server.ts'
import { pdfRoute } from './printing/print.server.ts'
import { sendRoute } from './printing/send.server.ts'
import { whereUsed } from './references/where-used.server.ts'
import { reviewReminder } from './review/review.server.ts'
import { carriedRoute } from './signing/carried.server.ts'
import { signing } from './signing/signing.server.ts'
import { remindToSign, settleSignOffs, tellAsked, tellJoined } from './signoff/reminders.server.ts'
import { signOffRoutes } from './signoff/routes.server.ts'
import { signingOff } from './signoff/sign-off.server.ts'
import { signOff, signOffPerson } from './signoff/sign-off.ts'
import { signedBeforeRoute } from './signoff/signed-before.server.ts'

/** Controlled documents of all kinds that the areas declare: each leads the one life. */
export function documents(areas: readonly Room[]): RoomWithEvidence {
  const kinds = kindsOf(areas)
  return {
    name: 'documents',
    navigation: { settings: SETTINGS },
    resources: [
      document,
      signature,
      seal,
      documentPrint,
      documentReference,
      documentPack,
      sealHead,
      evidenceCheck,
      evidenceFinding,
      signOff,
      signOffPerson,
      safetySettings,
      formVersion,
      ...kinds.map((k) => k.resource),
    ],
    behaviours: [signing, signingOff(kinds), formVersions(kinds), ...kinds.map(lifecycle)],
    routes: routesOf('safety', [
      ...kinds.flatMap((k) => [
        ...listRoutes(k),
        ...formRoutes(k),
        ...modelRoutes(k),
        pdfRoute(k),
        signedBeforeRoute(k),
      ]),
      sendRoute(kinds),
      carriedRoute,
      ...signOffRoutes,
      approversRoute,
      ...ownWork,
      ...whereUsed,
      ...packRoutes(kinds),
      ...newerRoutes(kinds),
    ]),
    evidence: [documentEvidenceOf(kinds), packEvidence, formEvidence],
    reference: [adoption, declaredForms(kinds)],
    commands,
    listeners: [keepPrints(kinds), tellAsked(kinds)],
    schedules: [
      reviewReminder(kinds),
      headSigning,
      evidenceChecking,
      tellJoined(kinds),
      remindToSign(kinds),
      settleSignOffs,
    ],
  }
}

/**
 * Complete and not retired: what was replaced is neither. So the specification has it, where replacing retires, and so the
 * newest one of such a list is what holds while none is current.
 */
const standing = ({ complete, retired, state }: Query): readonly Condition[] =>
  isYes(complete) && isNo(retired) && state === undefined ? [{ sql: () => "t.state <> 'replaced'" }] : []

const isYes = (value: unknown) => value === 'true' || value === '1'
const isNo = (value: unknown) => value === 'false' || value === '0'

/** The lists that the specification asks for beside the plain one. */
function listRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  return [
    listRoute(r, `${r.url}/list`, `The ${kind.noun}s of one's company`, (c) => ({
      query: c.query,
      extra: [{ sql: (next) => `t.client_id = ${next(c.me.clientId)}::int` }, ...standing(c.query)],
    })),
    listRoute(
      r,
      `${r.url}/list_associated`,
      `The ${kind.noun}s that another document can refer to`,
      (c) => ({
        query: { retired: 'false', complete: 'true', ...c.query, q: c.query.q ?? c.query.search },
        extra: [
          { sql: (next) => `t.client_id = ${next(c.me.clientId)}::int` },
          ...standing({ retired: 'false', complete: 'true', ...c.query }),
        ],
      }),
      { query: { search: text({ help: 'The same as `q`.' }) } },
    ),
    listRoute(r, `${r.url}/templates`, `The ${kind.noun}s to start from`, (c) => ({
      query: { isTemplate: 'true', retired: 'false', ...c.query },
    })),
    listRoute(r, `${r.url}/revision/{id}`, `All revisions of a ${kind.noun}, the newest first`, async (c) => {
      const one = await c.engine.one(r, c.actor, readId(c.params.id) ?? -1)
      return {
        query: {
          'order[revision]': 'desc',
          ...c.query,
          documentNumber: one.documentNumber,
          client: one.client ?? String(PROVIDER),
        },
      }
    }),
  ]
}
