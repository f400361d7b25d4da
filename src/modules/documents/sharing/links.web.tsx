import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy, IconLink, IconMail } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { describeDelivery, type EmailDelivery, isWithinSendingWindow } from '#modules/crm/mail/message.ts'
import { callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { useEmailSentToast } from '#web/shell/pages/facts.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../printing/dialogs.module.css'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { PackAnswerList } from './answer.web.tsx'
import { LINK_DAYS, packAnswer, packLink } from './pack-link.ts'

const EmailPackDialog = lazyComponent(() => import('./email-links.web.tsx'))

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

type PackLink = RecordOf<typeof packLink>

const NO_MAIL_SERVER = 'Create a link and send it yourself, or ask an administrator to set up a mail server.'

/** Returns what became of the e-mail with a link; an empty string for a link that was not e-mailed. */
function linkDeliveryText({ email, emailedAt, delivery }: PackLink): string {
  if (!email) return ''
  if (delivery)
    return describeDelivery({ ...delivery, state: delivery.state as EmailDelivery['state'] }, NO_MAIL_SERVER)
  return isWithinSendingWindow(emailedAt) ? `Being sent to ${email}` : `Not sent to ${email} yet.`
}

/**
 * Section for links that let people outside the company read a pack: shows recipient, expiry and number of openings;
 * creates and withdraws links.
 */
export default function PackLinks({ kind, record }: Props) {
  const links = useList(packLink, { document: iriOf(document, record.id), itemsPerPage: 100 })
  const answers = useList(packAnswer, { document: iriOf(document, record.id), itemsPerPage: 100 })
  const queries = useQueryClient()
  const [making, setMaking] = useState(false)
  const [emailing, setEmailing] = useState(false)
  const [dialog, ask] = useConfirm()
  const tell = useEmailSentToast()
  const again = () => void queries.invalidateQueries({ queryKey: [packLink.url] })
  const withdraw = useMutation({
    mutationFn: (at: string) => callApi('POST', `${at}/withdraw`, {}),
    onSettled: again,
    onError: (e) => toast.failed(e),
  })
  const emailAgain = useMutation({
    mutationFn: ({ '@id': at }: PackLink) => callApi('POST', `${at}/send-again`, {}),
    onSettled: again,
    onSuccess: (_, { email }) => tell(record.documentNumber, email),
    onError: (e) => toast.failed(e),
  })
  const all = links.data?.['hydra:member'] ?? []
  if (!record.current && !all.length) return null
  const end = async (at: string, called: string) => {
    const yes = await ask({
      title: `Withdraw the link for ${called}`,
      question: 'The link will no longer open the pack.',
      action: 'Withdraw link',
      meaning: 'stop',
    })
    if (yes) withdraw.mutate(at)
  }
  return (
    <section className={page.card} aria-labelledby="links">
      <h2 id="links">Shared with</h2>
      {!all.length && (
        <Text size="sm" c="dimmed">
          E-mail the pack to the main contractor, who reads it without signing in, and accepts or rejects it. Or create
          a link and send it yourself.
        </Text>
      )}
      <ul className={css.sent}>
        {all.map((link) => (
          <li key={link.id}>
            <strong>{link.called}</strong>
            {link.email && !link.withdrawnAt && <span className={page.quiet}>{linkDeliveryText(link)}</span>}
            <span className={page.quiet}>
              {link.withdrawnAt
                ? 'Withdrawn '
                : `${link.until < londonToday() ? 'Expired on' : 'Expires on'} ${formatIsoAsUkDate(link.until)}. `}
              {link.withdrawnAt && <DateTimeText at={link.withdrawnAt} />}
              {!link.withdrawnAt &&
                (link.openedAt ? `Times opened: ${link.opened}, most recently ` : 'Not opened yet.')}
              {!link.withdrawnAt && link.openedAt && <DateTimeText at={link.openedAt} />}
            </span>
            <PackAnswerList
              answers={(answers.data?.['hydra:member'] ?? []).filter((one) => one.link === link['@id'])}
            />
            {!link.withdrawnAt && link.until >= londonToday() && (
              <span className={css.actions}>
                {link.email && record.current && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Send the e-mail to ${link.called} again`}
                    loading={emailAgain.isPending && emailAgain.variables.id === link.id}
                    onClick={() => emailAgain.mutate(link)}
                  >
                    Send again
                  </Button>
                )}
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={`Withdraw the link for ${link.called}`}
                  onClick={() => void end(link['@id'], link.called)}
                >
                  Withdraw
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {record.current && (
        <div className={page.buttons}>
          <Button leftSection={<IconMail size={16} aria-hidden />} onClick={() => setEmailing(true)}>
            E-mail it
          </Button>
          <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={() => setMaking(true)}>
            Create link
          </Button>
        </div>
      )}
      {emailing && <EmailPackDialog kind={kind} record={record} onClose={() => setEmailing(false)} />}
      {dialog}
      {making && <MakeDialog record={record} onMade={again} onClose={() => setMaking(false)} />}
    </section>
  )
}

interface MakeProps {
  readonly record: DocumentRecord
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Dialog that asks for the recipient and expiry, then shows the link, which can't be shown again. */
function MakeDialog({ record, onMade, onClose }: MakeProps) {
  const [called, setCalled] = useState('')
  const [until, setUntil] = useState<string | null>(
    Temporal.PlainDate.from(londonToday()).add({ days: LINK_DAYS }).toString(),
  )
  const make = useMutation({
    mutationFn: () =>
      callApi<{ address: string }>('POST', `${iriOf(document, record.id)}/links`, { called, until: until ?? '' }),
    onSuccess: onMade,
  })
  const address = make.data?.address
  const submit = (e: FormEvent) => {
    e.preventDefault()
    make.mutate()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={address ? `The link for ${called}` : `Link to ${record.documentNumber}`}
      size="36rem"
    >
      {address ? (
        <Made address={address} onClose={onClose} />
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              label="Recipient"
              description="The company or person that gets the link. Only your company sees this."
              maxLength={200}
              value={called}
              onChange={(e) => setCalled(e.currentTarget.value)}
              data-autofocus
            />
            <DateField label="Expires on" value={until} onChange={setUntil} min={londonToday()} />
            <Text size="sm">
              The link shows only this pack: its documents, the number of signatures and the file with the signatures.
              It stops working when the pack is replaced or withdrawn.
            </Text>
            {make.error && <FormErrorText>{errorSentence(make.error)}</FormErrorText>}
          </Stack>
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={make.isPending}>
              Create link
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

function Made({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast.info('Link copied', 'safe'),
      () => toast.info('Your browser doesn’t allow copying. Please select the link and copy it.', 'attention'),
    )
  return (
    <>
      <Stack gap="md">
        <Text>
          Anyone with the link can read the pack. The link is shown only once: send it now, or create another one later.
        </Text>
        <Group align="end" gap="sm" wrap="nowrap">
          <TextInput label="Link" value={address} readOnly flex={1} onFocus={(e) => e.currentTarget.select()} />
          <Button leftSection={<IconCopy size={16} aria-hidden />} data-autofocus onClick={() => void copy()}>
            Copy
          </Button>
        </Group>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
