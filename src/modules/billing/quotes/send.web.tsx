import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { composeEmail } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { lastMinuteOfDay, londonDate, now } from '#kernel/time.ts'
import { ApiError } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { quoteEmail } from '../emails/mail.ts'
import { quoteSettings } from '../emails/settings.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { buildQuoteDocument } from '../print/quote-document.ts'
import { QuoteDocumentView } from '../print/quote-document.web.tsx'
import { downloadQuotePdf, type QuoteRecord, useQuoteAction, useQuotePreview } from './data.web.ts'
import { DiscountApprovalNotice } from './discount-approval.web.tsx'
import css from './send.module.css'

interface Props {
  readonly quote: QuoteRecord
  readonly opened: boolean
  readonly onClose: () => void
}

/** Preview of what the customer receives: the e-mail, and the quote that its link opens. */
export function SendQuoteDialog({ quote, opened, onClose }: Props) {
  const { provider = '', mail: mails = true } = usePortalInfo() ?? {}
  const isStaff = useIsProviderStaff()
  const preview = useQuotePreview(quote, opened)
  const { total, totals, couponTerms, supplier, nextInvoices } = preview.data ?? quote
  const q = { ...quote, total, totals, couponTerms, supplier, nextInvoices }
  const send = useQuoteAction(quote, 'send')
  const rules = useList(quoteSettings, {}, { enabled: opened }).data?.['hydra:member'][0]
  // The expiry date is set in this dialog, so that the sent e-mail is the same as the preview.
  const expiresAt = q.expiresAt ?? lastMinuteOfDay(londonDate(now()).add({ days: rules?.validDays ?? 30 })).toString()
  const mail = composeEmail(quoteEmail, {
    reference: q.reference,
    company: q.company,
    contactName: q.customer.contactName ?? '',
    payments: describeQuotePayments(q),
    message: isStaff ? q.message : preventAutolinking(q.message),
    expiresAt: Temporal.Instant.from(expiresAt),
    provider,
    supplier: q.supplier,
    owner: q.owner ?? { name: '', telephone: '', email: '' },
    link: '(the customer’s personal link)',
  })
  const messages =
    send.error instanceof ApiError && send.error.violations.length
      ? send.error.violations.map((v) => v.message)
      : send.error
        ? [errorSentence(send.error)]
        : []
  const needsApproval = send.error instanceof ApiError && send.error.code === 'approval_needed'
  const approval = preview.data?.approval
  const isBlocked = !!approval && approval.state !== 'approved'
  return (
    <Dialog opened={opened} onClose={onClose} title={`Send quote ${q.reference}`}>
      <Stack>
        {approval && <DiscountApprovalNotice of={quote} approval={approval} />}
        {messages.length > 0 && !needsApproval && (
          <Alert color="red" role="alert" title="Not sent">
            {messages.map((m) => (
              <div key={m}>{m}</div>
            ))}
          </Alert>
        )}
        {q.sendEmail && !mails && (
          <Alert color="yellow" title="No e-mail will be sent">
            No mail server is configured. The quote will go live; send the customer the link yourself.
          </Alert>
        )}
        <Tabs defaultValue={q.sendEmail ? 'mail' : 'quote'} keepMounted={false}>
          <Tabs.List>
            {q.sendEmail && <Tabs.Tab value="mail">E-mail</Tabs.Tab>}
            <Tabs.Tab value="quote">Quote</Tabs.Tab>
          </Tabs.List>
          {q.sendEmail && (
            <Tabs.Panel value="mail" pt="md">
              <Text size="sm">
                To <strong>{q.emailTo || '—'}</strong>
              </Text>
              <Text size="sm" mb="sm">
                Subject <strong>{mail.subject}</strong>
              </Text>
              <div className={css.mail}>{mail.body}</div>
            </Tabs.Panel>
          )}
          <Tabs.Panel value="quote" pt="md">
            <QuoteDocumentView paper={buildQuoteDocument({ ...q, expiresAt }, q.couponTerms)} provider={provider} />
            <Group mt="sm">
              <Button variant="default" onClick={() => downloadQuotePdf(q).catch((e: unknown) => toast.failed(e))}>
                Download PDF
              </Button>
            </Group>
          </Tabs.Panel>
        </Tabs>
        {!q.sendEmail && (
          <Text size="sm">No e-mail will be sent. Copy the link afterwards and send it to the customer yourself.</Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {!isBlocked && (
          <Button
            loading={send.isPending || preview.isPending}
            onClick={() =>
              send.mutate(
                { expiresAt, fingerprint: preview.data?.fingerprint ?? '' },
                {
                  // Refetches the preview, so that changes made by others are shown before the user can send.
                  onError: () => void preview.refetch(),
                  onSuccess: () => {
                    toast.info(q.sendEmail && mails ? 'Quote sent' : 'Quote is live', 'safe')
                    onClose()
                  },
                },
              )
            }
          >
            {q.sendEmail ? 'Send quote' : 'Make quote live'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
