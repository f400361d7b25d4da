import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select, Textarea } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { toText } from '#kernel/text.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type BandingResult, CONTROL_APPROACHES, controlApproachLabel, OWN_ADVICE } from '../substances/banding.ts'
import css from './coshh.module.css'
import { controlApproachDecision, proposeApproachForSubstanceUse, type SubstanceUse } from './substances-used.ts'

interface Props {
  readonly row: SubstanceUse
  readonly name: string
  readonly id: string
  readonly readOnly: boolean
  /** Proposal to show; the default is the current proposal for the row. */
  readonly proposal?: BandingResult | undefined
  readonly onChange: (more: Partial<SubstanceUse>) => void
}

/**
 * Control approach proposed by COSHH Essentials, with its derivation. The user confirms the proposal, or chooses
 * another approach and gives a reason.
 */
export function ControlApproachPicker({
  row,
  name,
  id,
  readOnly,
  proposal = proposeApproachForSubstanceUse(row),
  onChange,
}: Props) {
  const decision = controlApproachDecision(row, proposal)
  const [other, setOther] = useState(Boolean(row.approach))
  const means = CONTROL_APPROACHES.find((c) => c.approach === proposal.approach)?.means
  const known = proposal.approach !== '?'
  return (
    <div
      id={`${id}.confirmed`}
      tabIndex={-1}
      className={css.proposal}
      data-open={decision === 'open' || undefined}
      data-expert={proposal.expert.length > 0 || undefined}
    >
      <div className={css.bar}>
        <strong>
          {known
            ? `COSHH Essentials${proposal.ownRule ? ', with Stanchion’s rule for sprays,' : ''} proposes approach ${controlApproachLabel(proposal.approach)}`
            : 'Control approach not known'}
        </strong>
        {decision === 'confirmed' && <StatusChip meaning="safe">Confirmed</StatusChip>}
        {decision === 'other' && (
          <StatusChip meaning="info">{`Another: ${controlApproachLabel(row.approach)}`}</StatusChip>
        )}
        {decision === 'open' && <StatusChip meaning="attention">Decision needed</StatusChip>}
      </div>
      <p>{proposal.formula}</p>
      {proposal.missing.map((missing) => (
        <p key={missing}>{missing}</p>
      ))}
      {means && <p className={css.quiet}>{means}</p>}
      {proposal.skin && (
        <p className={css.quiet}>Group S also applies: keep the substance off the skin and out of the eyes.</p>
      )}
      {proposal.advice.length > 0 && (
        <section aria-label={`${OWN_ADVICE} for ${name}`} className={css.advice}>
          <strong>{OWN_ADVICE}</strong> <span className={css.quiet}>(not part of COSHH Essentials)</span>
          {proposal.advice.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
      {!readOnly && (
        <div className={css.bar}>
          {known && decision !== 'confirmed' && (
            <Button
              size="compact-md"
              leftSection={<IconCheck size={16} aria-hidden />}
              aria-label={`Confirm approach ${proposal.approach} for ${name}`}
              onClick={() => {
                setOther(false)
                onChange({ confirmed: proposal.formula, approach: null, reason: '' })
              }}
            >
              {`Confirm approach ${proposal.approach}`}
            </Button>
          )}
          {!other && (
            <Button
              size="compact-md"
              variant="default"
              aria-label={`Choose another approach for ${name}`}
              onClick={() => setOther(true)}
            >
              Choose another approach
            </Button>
          )}
        </div>
      )}
      {readOnly && row.reason && <p>{`Because: ${row.reason}`}</p>}
      {other && !readOnly && (
        <>
          <Select
            id={`${id}.approach`}
            label="Control approach (Required)"
            data={CONTROL_APPROACHES.map((c) => ({
              value: String(c.approach),
              label: `${c.approach}, ${c.label.toLowerCase()}`,
            }))}
            value={row.approach ? String(row.approach) : null}
            onChange={(approach) => onChange({ approach: approach === null ? null : Number(approach), confirmed: '' })}
          />
          <Textarea
            id={`${id}.reason`}
            label="Why this approach is sufficient (Required)"
            autosize
            minRows={2}
            maxLength={2000}
            value={toText(row.reason)}
            onChange={(e) => onChange({ reason: e.currentTarget.value })}
          />
        </>
      )}
    </div>
  )
}
