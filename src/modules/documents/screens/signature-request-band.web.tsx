import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { SIGNING_SECTION_ID, useOwnSignatures, useQueuedSignature } from '../signing/sign-here.web.tsx'
import { useOwnCarriedForwardSignature } from '../signoff/carried-signatures.web.tsx'
import { useItemsToSign } from '../signoff/own-requests.web.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, documentPermissions } from '../types/record.web.ts'
import css from './view.module.css'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/** Banner above a document that awaits the user's signature, with the due date and a link to sign. */
export function SignatureRequestBanner({ parts, record }: Props) {
  const actor = useActor()
  const may = documentPermissions(parts.kind, actor, record)
  const { known, own, behalf } = useOwnSignatures(record)
  const kept = useQueuedSignature(record)
  const carried = useOwnCarriedForwardSignature(parts.kind, record)
  const must = useItemsToSign(parts.all, may.sign)
  if (!may.sign || !known || must.isPending) return null
  const here = must.rows.filter((one) => one.document === record.id)
  const asked = here.find(({ to }) => to === `${parts.kind.screens.list}/view/${record.id}`)
  const elsewhere = here.find((one) => one !== asked)
  const open = !own && !kept && !(behalf && !asked)
  if (elsewhere)
    return (
      <Band says={`You have been asked to sign. ${elsewhere.detail}.`}>
        <Button component={Link} to={elsewhere.to} rightSection={<IconArrowRight size={16} aria-hidden />}>
          Sign as attendee
        </Button>
      </Band>
    )
  if (!open || !(asked || (hasRole(actor, 'ROLE_EMPLOYEE') && record.asked === 0 && !carried))) return null
  return (
    <Band
      says={
        asked
          ? `Please read and sign this ${parts.kind.noun} by ${formatIsoAsUkDate(asked.by)}.`
          : `This ${parts.kind.noun} is in force for all readers. Please read it and sign at the end.`
      }
    >
      <Button variant="default" rightSection={<IconArrowDown size={16} aria-hidden />} onClick={showSignature}>
        Go to signature
      </Button>
    </Band>
  )
}

const Band = ({ says, children }: { readonly says: string; readonly children: ReactNode }) => (
  <section className={css.band} data-meaning="attention" aria-label="Your signature">
    <p className={css.says}>{says}</p>
    <div className={page.buttons}>{children}</div>
  </section>
)

function showSignature(): void {
  const end = document.getElementById(SIGNING_SECTION_ID)?.closest('section')
  end?.scrollIntoView({ block: 'center' })
  end?.querySelector('button')?.focus({ preventScroll: true })
}
