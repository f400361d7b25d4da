import { Button, CopyButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { canAct } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { say, sentence } from '#web/ui/say.ts'
import { type Quote, savePdf, useQuoteAction } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'

/** What can be done with the quote as it stands. */
export function QuoteActions({ of }: { readonly of: Quote }) {
  const actor = useActor()
  const go = useNavigate()
  const revise = useQuoteAction(of, 'revise')
  const copy = useQuoteAction(of, 'copy')
  const remind = useQuoteAction(of, 'remind')
  const [asking, setAsking] = useState<'extend' | 'cancel' | 'link'>()
  const may = (action: string) => canAct(actor, action, quote, of.state) && (!of.replacedBy || action === 'copy')
  const then = {
    onSuccess: (made: Quote) => void go(`/crm/quote/${made.id}`),
    onError: (e: Error) => say.failed(e),
  }
  return (
    <>
      <Group gap="sm">
        {may('revise') && (
          <Button loading={revise.isPending} onClick={() => revise.mutate({}, then)}>
            Make a new revision
          </Button>
        )}
        {may('link') && (
          <Button variant="default" onClick={() => setAsking('link')}>
            Copy the link
          </Button>
        )}
        {may('remind') && of.emailTo && (
          <Button
            variant="default"
            loading={remind.isPending}
            onClick={() =>
              remind.mutate({}, { onSuccess: () => say.told('Sent again', 'safe'), onError: (e) => say.failed(e) })
            }
          >
            Send again
          </Button>
        )}
        {may('extend') && (
          <Button variant="default" onClick={() => setAsking('extend')}>
            Give more time
          </Button>
        )}
        <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate({}, then)}>
          Copy as new quote
        </Button>
        <Button variant="default" onClick={() => savePdf(of).catch((e: unknown) => say.failed(e))}>
          PDF
        </Button>
        {may('cancel') && (
          <Button variant="default" onClick={() => setAsking('cancel')}>
            Cancel quote
          </Button>
        )}
      </Group>
      <Dialog opened={asking === 'link'} onClose={() => setAsking(undefined)} title={`Link to ${of.reference}`}>
        <LinkPart of={of} />
      </Dialog>
      <Dialog
        opened={asking === 'extend'}
        onClose={() => setAsking(undefined)}
        title={`Give more time for ${of.reference}`}
      >
        <Reasoned of={of} action="extend" button="Give more time" dated onDone={() => setAsking(undefined)} />
      </Dialog>
      <Dialog opened={asking === 'cancel'} onClose={() => setAsking(undefined)} title={`Cancel ${of.reference}`}>
        <Reasoned of={of} action="cancel" button="Cancel quote" onDone={() => setAsking(undefined)} />
      </Dialog>
    </>
  )
}

/** The secret is shown once, to be copied. */
function LinkPart({ of }: { readonly of: Quote }) {
  const make = useQuoteAction<{ link: string }>(of, 'link')
  if (!make.data)
    return (
      <Stack align="start">
        <Text>Whoever has this link can read, accept and decline the quote. Give it to the customer only.</Text>
        {make.error && <ErrorText>{sentence(make.error)}</ErrorText>}
        <Button loading={make.isPending} onClick={() => make.mutate({})}>
          Make a link
        </Button>
      </Stack>
    )
  const { link } = make.data
  return (
    <Stack align="start">
      <TextInput label="The customer’s link" value={link} readOnly w="100%" onFocus={(e) => e.currentTarget.select()} />
      <CopyButton value={link}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
      </CopyButton>
    </Stack>
  )
}

interface ReasonedProps {
  readonly of: Quote
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
        {act.error && <ErrorText>{sentence(act.error)}</ErrorText>}
        {dated && <DateField label="Valid until (Required)" value={until} onChange={setUntil} />}
        <Textarea
          label="Why? (Required)"
          description="It is kept with the quote and in the contact’s timeline."
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
