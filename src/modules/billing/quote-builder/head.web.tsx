import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { canRunActionInState } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { isRepeatedRequest } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { downloadQuotePdf, type QuoteRecord, useQuoteAction } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'

const ACTIONS = ['link', 'remind', 'extend', 'revise', 'copy', 'pdf'] as const
type Action = (typeof ACTIONS)[number]

const NEXT: Readonly<Record<QuoteRecord['state'], Action | undefined>> = {
  draft: undefined,
  open: 'link',
  accepted: 'copy',
  declined: 'revise',
  expired: 'extend',
  cancelled: 'copy',
}

/** Actions for the quote's status. The next step comes first, and cancelling is kept separate. */
export function QuoteActionButtons({ of }: { readonly of: QuoteRecord }) {
  const actor = useActor()
  const go = useNavigate()
  const places = useBillingUrls()
  const revise = useQuoteAction(of, 'revise')
  const copy = useQuoteAction(of, 'copy')
  const remind = useQuoteAction(of, 'remind')
  const [asking, setAsking] = useState<'extend' | 'cancel' | 'accept'>()
  const next = NEXT[of.state]
  const may = (action: string) =>
    canRunActionInState(actor, action, quote, of.state) && (!of.replacedBy || action === 'copy')
  const isOffered = (action: Action) => action === 'pdf' || (may(action) && (action !== 'remind' || !!of.emailTo))
  const then = {
    onSuccess: (made: QuoteRecord) => void go(places.quote(made.id)),
    onError: (e: Error) => toast.failed(e),
  }
  const sentAgain = { onSuccess: () => toast.info('Sent again', 'safe'), onError: (e: Error) => toast.failed(e) }
  const draw: Readonly<Record<Action, (look: { variant: string }) => ReactNode>> = {
    link: (look) => <CopyQuoteLink of={of} {...look} />,
    remind: (look) => (
      <Button
        {...look}
        loading={remind.isPending}
        onClick={() => remind.mutate({ again: isRepeatedRequest(remind.error) }, sentAgain)}
      >
        Send again
      </Button>
    ),
    extend: (look) => (
      <Button {...look} onClick={() => setAsking('extend')}>
        Extend quote
      </Button>
    ),
    revise: (look) => (
      <Button {...look} loading={revise.isPending} onClick={() => revise.mutate({}, then)}>
        Make a new revision
      </Button>
    ),
    copy: (look) => (
      <Button {...look} loading={copy.isPending} onClick={() => copy.mutate({}, then)}>
        Copy as new quote
      </Button>
    ),
    pdf: (look) => (
      <Button {...look} onClick={() => downloadQuotePdf(of).catch((e: unknown) => toast.failed(e))}>
        PDF
      </Button>
    ),
  }
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          {[...new Set(next ? [next, ...ACTIONS] : ACTIONS)].filter(isOffered).map((action) => (
            <Fragment key={action}>{draw[action]({ variant: action === next ? 'filled' : 'default' })}</Fragment>
          ))}
          {may('acceptByPhone') && (
            <Button variant="default" onClick={() => setAsking('accept')}>
              Accept by telephone
            </Button>
          )}
        </Group>
        {may('cancel') && (
          <Button variant="subtle" color="red" onClick={() => setAsking('cancel')}>
            Cancel quote
          </Button>
        )}
      </Group>
      <Dialog opened={asking === 'extend'} onClose={() => setAsking(undefined)} title={`Extend ${of.reference}`}>
        <Reasoned of={of} action="extend" button="Extend quote" dated onDone={() => setAsking(undefined)} />
      </Dialog>
      <Dialog
        opened={asking === 'accept'}
        onClose={() => setAsking(undefined)}
        title={`Accept ${of.reference} by telephone`}
        size="36rem"
      >
        <ByPhone of={of} onDone={() => setAsking(undefined)} />
      </Dialog>
      <Dialog opened={asking === 'cancel'} onClose={() => setAsking(undefined)} title={`Cancel ${of.reference}`}>
        <Reasoned of={of} action="cancel" button="Cancel quote" onDone={() => setAsking(undefined)} />
      </Dialog>
    </>
  )
}

/** Button that creates and copies a new link in one click. If the browser blocks copying, the link is shown instead. */
export function CopyQuoteLink({ of, variant }: { readonly of: QuoteRecord; readonly variant: string }) {
  const make = useQuoteAction<{ link: string }>(of, 'link')
  const [shown, setShown] = useState<string>()
  const copy = async () => {
    try {
      const made = make.mutateAsync({}).then(({ link }) => link)
      const text = made.then((link) => new Blob([link], { type: 'text/plain' }))
      // Copying starts before the response arrives, because browsers allow copying only during the click.
      const copied = navigator.clipboard?.write([new ClipboardItem({ 'text/plain': text })]).then(
        () => true,
        () => false,
      )
      const link = await made
      if (await copied) toast.info('Link copied. Anybody who has the link can accept the quote.', 'safe')
      else setShown(link)
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <>
      <Button variant={variant} loading={make.isPending} onClick={() => void copy()}>
        Copy the link
      </Button>
      <Dialog opened={shown !== undefined} onClose={() => setShown(undefined)} title={`Link to ${of.reference}`}>
        <Stack>
          <Text>
            Anybody who has this link can read, accept and decline the quote. Give the link to the customer only.
          </Text>
          <TextInput
            label="The customer’s link"
            value={shown ?? ''}
            readOnly
            onFocus={(e) => e.currentTarget.select()}
            data-autofocus
          />
        </Stack>
      </Dialog>
    </>
  )
}

/** Form for an acceptance by telephone: name and purchase order. */
function ByPhone({ of, onDone }: { readonly of: QuoteRecord; readonly onDone: () => void }) {
  const act = useQuoteAction(of, 'accept-by-phone')
  const namesColleagues = hasRole(useActor(), 'ROLE_SALES_ADMIN')
  const [name, setName] = useState(of.customer.contactName ?? '')
  const [poNumber, setPoNumber] = useState('')
  const [takenBy, setTakenBy] = useState<string | null>(null)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        act.mutate({ name, poNumber, ...(takenBy ? { takenBy } : {}) }, { onSuccess: onDone })
      }}
    >
      <Stack>
        {act.error && <ErrorText>{errorSentence(act.error)}</ErrorText>}
        <Text>
          The customer accepts {describeQuotePayments(of)}. The first invoice will be created immediately, and recurring
          payments will become a subscription.
        </Text>
        <TextInput
          label="Accepted by (Required)"
          value={name}
          maxLength={255}
          data-autofocus
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <TextInput
          label="Purchase order number"
          description="Printed on the customer’s invoices."
          value={poNumber}
          maxLength={50}
          onChange={(e) => setPoNumber(e.currentTarget.value)}
        />
        {namesColleagues && (
          <RemoteSelect
            label="Call taken by"
            description="Leave blank if you took the call yourself."
            target={staff}
            value={takenBy}
            onChange={setTakenBy}
            params={{ tray: false }}
          />
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button type="submit" loading={act.isPending} disabled={!name.trim()}>
          Accept the quote
        </Button>
      </DialogActions>
    </form>
  )
}

interface ReasonedProps {
  readonly of: QuoteRecord
  readonly action: 'extend' | 'cancel'
  readonly button: string
  readonly dated?: boolean
  readonly onDone: () => void
}

function Reasoned({ of, action, button, dated = false, onDone }: ReasonedProps) {
  const act = useQuoteAction(of, action)
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        act.mutate({ reason, ...(dated ? { until } : {}) }, { onSuccess: onDone })
      }}
    >
      <Stack>
        {act.error && <ErrorText>{errorSentence(act.error)}</ErrorText>}
        {dated && <DateField label="Valid until (Required)" value={until} onChange={setUntil} />}
        <Textarea
          label="Reason (required)"
          description="The reason is saved with the quote and in the lead’s timeline."
          value={reason}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button type="submit" loading={act.isPending}>
          {button}
        </Button>
      </DialogActions>
    </form>
  )
}
