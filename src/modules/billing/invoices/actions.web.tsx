import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { can, canRunActionInState } from '#kernel/can.ts'
import { ApiError, callApi, isRepeatedRequest } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { useEmailSentToast, usePortalInfo } from '#web/shell/pages/facts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { FinancialDocumentView } from '../print/financial-document.web.tsx'
import {
  type InvoicePreview,
  type InvoiceRecord,
  saveInvoicePdf,
  useInvoiceAction,
  useInvoiceMutation,
  useInvoicePreview,
} from './data.web.ts'
import { invoice } from './invoice.ts'
import { buildInvoiceDocument } from './paper.ts'

/** Actions available for an invoice. The next step comes first, and destructive actions are kept separate. */
export function InvoiceActionButtons({ of }: { readonly of: InvoiceRecord }) {
  const actor = useActor()
  const go = useNavigate()
  const places = useBillingUrls()
  const [asking, setAsking] = useState<'issue' | 'void' | 'writeOff' | 'delete'>()
  const send = useInvoiceAction(of, 'send')
  const reopen = useInvoiceAction(of, 'reopen')
  const spend = useInvoiceAction(of, 'use-credit')
  const remove = useInvoiceMutation(() => callApi('DELETE', of['@id']))
  const may = (action: string) => canRunActionInState(actor, action, invoice, of.state)
  const isDraft = of.state === 'draft'
  const toldSent = useEmailSentToast()
  const close = () => setAsking(undefined)
  const told = (words: string) => ({
    onSuccess: () => toast.info(words, 'safe'),
    onError: (e: Error) => toast.failed(e),
  })
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          {may('issue') && <Button onClick={() => setAsking('issue')}>Preview and issue</Button>}
          {may('useCredit') && (
            <Button
              variant="default"
              loading={spend.isPending}
              onClick={() => spend.mutate({}, told('Credit applied'))}
            >
              Apply credit
            </Button>
          )}
          {may('reopen') && (
            <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate({}, told('Reinstated'))}>
              Reinstate
            </Button>
          )}
          {may('send') && (
            <Button
              variant="default"
              loading={send.isPending}
              onClick={() =>
                send.mutate(
                  { again: isRepeatedRequest(send.error) },
                  {
                    onSuccess: () => toldSent(isDraft ? 'The pro forma' : of.number, of.buyer?.email ?? 'the customer'),
                    onError: (e: Error) => toast.failed(e),
                  },
                )
              }
            >
              {isDraft ? 'Send as pro forma' : 'Send again'}
            </Button>
          )}
          {of.state === 'open' && of.amountDue > 0 && <CopyPayLink of={of} />}
          <Button variant="default" onClick={() => saveInvoicePdf(of).catch((e: unknown) => toast.failed(e))}>
            PDF
          </Button>
        </Group>
        <Group gap="sm">
          {isDraft && can(actor, 'delete', invoice) && (
            <Button variant="subtle" color="red" onClick={() => setAsking('delete')}>
              Delete draft
            </Button>
          )}
          {may('writeOff') && (
            <Button variant="subtle" color="red" onClick={() => setAsking('writeOff')}>
              Write off
            </Button>
          )}
          {may('void') && of.amountPaid === 0 && of.amountCredited === 0 && (
            <Button variant="subtle" color="red" onClick={() => setAsking('void')}>
              Void
            </Button>
          )}
        </Group>
      </Group>
      <Dialog opened={asking === 'issue'} onClose={close} title="Issue this invoice">
        <Issue of={of} onDone={close} />
      </Dialog>
      <Dialog opened={asking === 'void'} onClose={close} title={`Void ${of.number}`} size="32rem">
        <Reasoned of={of} action="void" button="Void" onDone={close}>
          Nothing will be owed on this invoice, and its ledger entries will be reversed. The invoice keeps its number.
          The customer will be notified by e-mail.
        </Reasoned>
      </Dialog>
      <Dialog opened={asking === 'writeOff'} onClose={close} title={`Write off ${of.number}`} size="32rem">
        <Reasoned of={of} action="write-off" button="Write off" onDone={close}>
          The amount due will become bad debt. You can reinstate the amount later.
        </Reasoned>
      </Dialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        title="Delete this draft"
        question="The draft and its lines will be deleted. The draft has no number yet."
        action="Delete draft"
        cancel="Keep draft"
        meaning="stop"
        onClose={close}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void go(places.invoices),
            onError: (e: Error) => {
              close()
              toast.failed(e)
            },
          })
        }
      />
    </>
  )
}

/** Returns the draft with the VAT, totals and parties from its preview. */
const asIssued = (of: InvoiceRecord, { lines, ...ready }: InvoicePreview): InvoiceRecord => ({
  ...of,
  ...ready,
  lines: of.lines.map((l) => ({ ...l, ...lines.find(({ line }) => line === l['@id']) })),
})

/** Final preview before issuing. */
function Issue({ of, onDone }: { readonly of: InvoiceRecord; readonly onDone: () => void }) {
  const [supplied, setSupplied] = useState<string | null>(null)
  const preview = useInvoicePreview(of, true, supplied)
  const issue = useInvoiceAction(of, 'issue')
  const ready = preview.data
  const problems = ready?.problems ?? []
  const warnings = ready?.warnings ?? []
  const to = ready?.buyer?.email
  const mails = usePortalInfo()?.mail ?? true
  return (
    <>
      <Stack>
        {(issue.error ?? preview.error) && (
          <Alert color="red" role="alert" title="Not issued">
            {errorSentence(issue.error ?? preview.error)}
          </Alert>
        )}
        {problems.length > 0 && (
          <Alert color="yellow" title="This invoice can’t be issued yet">
            {problems.map((p) => (
              <div key={p.message}>{p.message}</div>
            ))}
          </Alert>
        )}
        {warnings.length > 0 && (
          <Alert color="yellow" title="Check before you issue">
            {warnings.map((w) => (
              <div key={w.message}>{w.message}</div>
            ))}
          </Alert>
        )}
        <DateField label="Date of supply" description="If left blank: today" value={supplied} onChange={setSupplied} />
        <Text size="sm">
          The invoice will get the next number and can’t be changed after it has been issued.{' '}
          {to ? (
            <>
              {mails ? 'E-mail to ' : 'No mail server is set up, so no e-mail can be sent to '}
              <strong>{to}</strong>. {!mails && 'Download the PDF and send it yourself.'}
            </>
          ) : (
            'The customer has no e-mail address for invoices. Send them the PDF yourself.'
          )}
        </Text>
        {ready && (
          <FinancialDocumentView
            sheet={{ ...buildInvoiceDocument(asIssued(of, ready)), kind: 'Invoice', warning: '' }}
          />
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          loading={issue.isPending || preview.isPending}
          disabled={!ready || problems.length > 0}
          onClick={() =>
            issue.mutate(
              { fingerprint: ready?.fingerprint ?? '', ...(supplied ? { taxPoint: supplied } : {}) },
              {
                onError: () => void preview.refetch(),
                onSuccess: (made) => {
                  toast.info(`Invoice ${made.number} issued`, 'safe')
                  onDone()
                },
              },
            )
          }
        >
          Issue invoice
        </Button>
      </DialogActions>
    </>
  )
}

/** Copies the payment link. If the browser does not allow copying, the link is shown. */
function CopyPayLink({ of }: { readonly of: InvoiceRecord }) {
  const make = useInvoiceMutation(() => callApi<{ url: string }>('POST', `${of['@id']}/pay-link`, {}))
  const [shown, setShown] = useState<string>()
  const copy = async () => {
    try {
      const made = make.mutateAsync().then(({ url }) => url)
      const text = made.then((url) => new Blob([url], { type: 'text/plain' }))
      // Copying starts before the response arrives, because browsers allow copying only during the click.
      const copied = navigator.clipboard?.write([new ClipboardItem({ 'text/plain': text })]).then(
        () => true,
        () => false,
      )
      const url = await made
      if (await copied)
        toast.info('Payment link copied. Anybody who has the link can see and pay this invoice.', 'safe')
      else setShown(url)
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <>
      <Button variant="default" loading={make.isPending} onClick={() => void copy()}>
        Copy the payment link
      </Button>
      <Dialog opened={shown !== undefined} onClose={() => setShown(undefined)} title="Payment link">
        <TextInput readOnly label="Payment link" value={shown ?? ''} onFocus={(e) => e.currentTarget.select()} />
      </Dialog>
    </>
  )
}

interface ReasonedProps {
  readonly of: InvoiceRecord
  readonly action: 'void' | 'write-off'
  readonly button: string
  readonly children: string
  readonly onDone: () => void
}

function Reasoned({ of, action, button, children, onDone }: ReasonedProps) {
  const act = useInvoiceAction(of, action)
  const [reason, setReason] = useState('')
  const run = (body: { readonly reason: string; readonly askApproval?: true }) =>
    act.mutate(body, {
      onSuccess: () => {
        if (body.askApproval)
          toast.info(
            `Approval requested. The invoice is ${action === 'void' ? 'void' : 'written off'} once a second person approves it.`,
          )
        onDone()
      },
    })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        run({ reason })
      }}
    >
      <Stack>
        {act.error && <ErrorText>{errorSentence(act.error)}</ErrorText>}
        <Text size="sm">{children}</Text>
        <Textarea
          label="Reason (required)"
          value={reason}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {act.error instanceof ApiError && act.error.code === 'approval_needed' && (
          <Button variant="default" loading={act.isPending} onClick={() => run({ reason, askApproval: true })}>
            Request approval
          </Button>
        )}
        <Button type="submit" color="red" loading={act.isPending}>
          {button}
        </Button>
      </DialogActions>
    </form>
  )
}
