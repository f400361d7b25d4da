import { problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { readRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import { contractMailing, MAILING_PREVIEW_URL, type MailingPreview } from './contract-mailing.ts'
import { contractTemplate } from './contract-template.ts'
import { findRecipients, planContracts, readVersion } from './mailing.server.ts'

const { template, employee: one, department, site, countersigner } = contractMailing.fields

/** Shows who would get a contract, by which way, and who would not and why. */
export const mailingPreviewRoute = routeWithInput(
  { template, employee: one, department, site, countersigner },
  {
    method: 'POST',
    path: MAILING_PREVIEW_URL,
    title: 'Show who would get a contract, and who would not and why',
    allow: HR_ROLES,
    whileImpersonating: true,
    handle: async ({ engine, me, now, input }) => {
      const { clientId } = me
      const { perDayLeft, plans, version } = await engine.readIn(
        clientId,
        'human resources send contracts',
        async (c) => {
          const chosen = await c.get(contractTemplate, input.template)
          const signatory = await c.get(employee, input.countersigner)
          if (!chosen || !signatory) throw problem.notFound()
          const current = await readVersion(c, chosen.id, chosen.version)
          const audience = {
            employee: input.employee ?? null,
            department: input.department ?? null,
            site: input.site ?? null,
          }
          const people = await findRecipients(c, audience)
          const offer = {
            clientId,
            version: current,
            countersigner: signatory,
            sender: me.username,
            now,
            isSingle: audience.employee !== null,
          }
          const { left } = await engine.db.tx({ clientId }, (tx) => readRecipientAllowance(tx, clientId, now))
          return { perDayLeft: left, plans: await planContracts(c, people, offer), version: current }
        },
      )
      const rows = plans.map(({ of, problem: reason }) => ({
        employee: of.id,
        name: of.name,
        email: of.user === null ? of.email : '',
        problem: reason,
      }))
      const emails = rows.filter(({ email, problem: reason }) => email && !reason).length
      const preview: MailingPreview = {
        rows,
        emailsToday: Math.min(emails, perDayLeft),
        sample: plans.find((plan) => !plan.problem)?.body ?? '',
      }
      return {
        '@id': MAILING_PREVIEW_URL,
        '@type': 'ContractMailingPreview',
        template: iriOf(contractTemplate, version.template),
        version: version.version,
        ...preview,
      }
    },
  },
)
