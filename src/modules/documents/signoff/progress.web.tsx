import '@mantine/core/styles/Progress.layer.css'
import { Button, Checkbox, Progress, Text } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { toast } from '#web/ui/toast.ts'
import { MAX_LINK_SIGNATURES, SIGNING_LINK_DAYS, signaturesByLink } from '../signing-links/signing-link.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import { CarriedForwardSignatureCounts } from './carried-signatures.web.tsx'
import type { RequestedSignature } from './own-requests.web.ts'
import { updateSelectedPeople, useSignatories, useSignatoryAction, useSignaturesOf } from './people.web.ts'
import { SignatureRequests } from './requests.web.tsx'
import css from './sign-off.module.css'

const AskDialog = lazyComponent(() => import('./request-signatures.web.tsx'))
const PosterLinkDialog = lazyComponent(() => import('./link-dialog.web.tsx'))
const ExcuseDialog = lazyComponent(() => import('./excuse.web.tsx'))

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Signature progress of a document in force. Authors also see who has not signed and since when, with reminders and
 * other actions.
 */
export function SignOffProgress({ kind, record }: Props) {
  const actor = useActor()
  if (!record.current || record.isTemplate || clientIdOf(record) !== actor.clientId) return null
  if (hasRole(actor, kind.roles.authors)) return <Kept kind={kind} record={record} />
  if (!record.asked) return null
  return (
    <section className={page.card} aria-labelledby="sign-off">
      <h2 id="sign-off">Requested signatures</h2>
      <Bar kind={kind} record={record} />
    </section>
  )
}

function Bar({ kind, record }: Props) {
  const { asked, missing } = record
  const said = `${asked - missing} of ${asked} signed`
  return (
    <div>
      <Text>{said}</Text>
      <Progress value={(100 * (asked - missing)) / asked} aria-label={said} color="green" />
      <CarriedForwardSignatureCounts kind={kind} record={record} />
    </div>
  )
}

function Kept({ kind, record }: Props) {
  const people = useSignatories(record).data?.['hydra:member']
  const me = useActor()
  const byLink = useSignaturesOf(record).data?.['hydra:member'].filter((one) => one.byLink).length ?? 0
  const send = useSignatoryAction(kind)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [open, setOpen] = useState<'ask' | 'excuse' | 'link'>()
  const shown = people?.filter((p) => p.state === 'asked' || p.state === 'excused' || p.state === 'left') ?? []
  const missing = shown.filter((p) => p.state === 'asked')
  const picked = shown.filter((p) => chosen.has(p.id))
  const about = (picked.length ? picked : missing).filter((p) => p.state === 'asked')
  const excused = picked.filter((p) => p.state === 'excused')
  const act = async (path: string, whom: readonly RequestedSignature[], done: string) => {
    try {
      await send.mutateAsync({ path, people: whom })
      toast.info(done, 'safe')
      setChosen(new Set())
    } catch (e) {
      toast.failed(e, () => void act(path, whom, done))
    }
  }
  return (
    <section className={page.card} aria-labelledby="sign-off">
      <h2 id="sign-off">Requested signatures</h2>
      {record.asked > 0 ? (
        <Bar kind={kind} record={record} />
      ) : (
        <p className={page.quiet}>Nobody has been asked to sign yet. Anyone who can see the document can sign it.</p>
      )}
      {byLink > 0 && <p className={page.quiet}>{`Signed by link, without an account: ${byLink}`}</p>}
      {shown.length > 0 && (
        <ul className={css.people} aria-label="Outstanding signatures">
          {shown.map((p) => (
            <li key={p.id}>
              <Checkbox
                disabled={p.state === 'left'}
                checked={chosen.has(p.id)}
                onChange={(e) => setChosen(updateSelectedPeople(chosen, [p.id], e.currentTarget.checked))}
                label={<Standing person={p} />}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={page.buttons}>
        <Button size="compact-sm" onClick={() => setOpen('ask')}>
          Request signatures
        </Button>
        {!me.original && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconQrcode size={14} aria-hidden />}
            onClick={() => setOpen('link')}
          >
            Signing link
          </Button>
        )}
        {about.length > 0 && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              loading={send.isPending}
              onClick={() => void act('remind', about, `Reminders sent: ${about.length}`)}
            >
              {picked.length ? `Remind ${about.length}` : 'Remind all'}
            </Button>
            {picked.length > 0 && (
              <Button size="compact-sm" variant="default" onClick={() => setOpen('excuse')}>
                {`Excuse ${about.length}`}
              </Button>
            )}
          </>
        )}
        {excused.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => void act('ask-again', excused, `People asked again: ${excused.length}`)}
          >
            {`Ask ${excused.length} again`}
          </Button>
        )}
      </div>
      <SignatureRequests kind={kind} record={record} />
      <Suspense>
        {open === 'link' && <SigningLinkDialog record={record} onClose={() => setOpen(undefined)} />}
        {open === 'ask' && <AskDialog kind={kind} record={record} onClose={() => setOpen(undefined)} />}
        {open === 'excuse' && (
          <ExcuseDialog
            kind={kind}
            people={about}
            onClose={() => {
              setOpen(undefined)
              setChosen(new Set())
            }}
          />
        )}
      </Suspense>
    </section>
  )
}

interface LinkProps extends Pick<Props, 'record'> {
  readonly onClose: () => void
}

/** Dialog with the link by which people without an account sign the document. */
function SigningLinkDialog({ record, onClose }: LinkProps) {
  const url = `${document.url}/${record.id}/signing_link`
  const refetch = useSignaturesOf(record).refetch
  const after = (days: number) => Temporal.PlainDate.from(londonToday()).add({ days }).toString()
  return (
    <PosterLinkDialog
      url={url}
      poster={`${url}/poster`}
      title="Signing link"
      about={`People without an account can read ${record.documentNumber} on their own phone and sign it there. The link works for up to ${MAX_LINK_SIGNATURES} signatures and opens the revision in force. Anyone with the link can read the whole document, even if its readers are restricted.`}
      invite="Scan this code with a phone, read the document and sign there."
      used={signaturesByLink}
      days={{ min: londonToday(), max: after(SIGNING_LINK_DAYS.most), usual: after(SIGNING_LINK_DAYS.usual) }}
      onClose={() => {
        void refetch()
        onClose()
      }}
    />
  )
}

function Standing({ person: p }: { readonly person: RequestedSignature }) {
  const nameOf = usePersonNames([p.excusedBy])
  const day = (at: string | null) => (at ? formatIsoAsUkDate(at) : '')
  const said =
    p.state === 'left'
      ? 'No longer with the company'
      : p.state === 'excused'
        ? `Excused by ${nameOf(p.excusedBy)}: “${p.excusedWhy ?? ''}”`
        : [
            `by ${day(p.due)}`,
            ...(p.revision === null ? [] : [`signed revision ${p.revision}`]),
            ...(p.reminders > 1 ? [`reminders sent: ${p.reminders - 1}, last on ${day(p.remindedAt)}`] : []),
          ].join(', ')
  return (
    <span className={css.standing}>
      <span>{p.user?.name}</span>
      <span className={page.quiet}>{said}</span>
    </span>
  )
}
