import { Button, Checkbox } from '@mantine/core'
import { useList } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { ppe } from '../library/ppe.ts'
import css from './coshh.module.css'
import { type CoshhEquipment, parseCoshhEquipment } from './equipment.ts'
import {
  addProposedEquipment,
  type EquipmentProposal,
  isProposalWorn,
  proposeEquipment,
} from './equipment-proposals.ts'
import { substanceUsesInRecord } from './substances-used.ts'

/** Form field to choose equipment that protects against substances, grouped by kind. Each item shows its standard. */
export function CoshhEquipmentField({ field, value, onChange, readOnly, error, id, read }: CustomFieldProps) {
  const worn = parseCoshhEquipment(value)
  const list = useList(ppe, { retired: false, isStandardCoshh: true, pagination: false })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={4} />
  const offered: CoshhEquipment[] = list.data['hydra:member'].map((p) => ({
    id: p.id,
    label: p.name ?? '',
    coshhValue: p.coshhValue || 'other equipment',
    standard: p.description ?? '',
    image: p.image ?? '',
  }))
  const gone = worn.filter((w) => !offered.some((o) => o.id === w.id))
  const kinds = Map.groupBy([...offered, ...gone], (o) => o.coshhValue)
  const proposals = readOnly ? [] : proposeEquipment(substanceUsesInRecord({ substances: read('substances') }), offered)
  const toggle = (item: CoshhEquipment) =>
    onChange(worn.some((w) => w.id === item.id) ? worn.filter((w) => w.id !== item.id) : [...worn, item])
  return (
    <fieldset id={id} tabIndex={-1} aria-label={field.label} className={css.field}>
      <legend>{field.label}</legend>
      {error && <ErrorText>{error}</ErrorText>}
      <ProposedEquipment
        proposals={proposals}
        worn={worn}
        onAdd={(proposal) => onChange(addProposedEquipment(worn, proposal))}
      />
      <div className={css.kinds}>
        {[...kinds].map(([kind, items]) => (
          <div key={kind}>
            <h3>{kind}</h3>
            <div className={css.ticks}>
              {items.map((item) => (
                <Checkbox
                  key={item.id}
                  label={item.label}
                  description={descriptionOf(worn.find((w) => w.id === item.id) ?? item)}
                  checked={worn.some((w) => w.id === item.id)}
                  disabled={readOnly}
                  onChange={() => toggle(worn.find((w) => w.id === item.id) ?? item)}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

const descriptionOf = ({ standard, detail }: CoshhEquipment) => [standard, detail].filter(Boolean).join('. ')

interface ProposedEquipmentProps {
  readonly proposals: readonly EquipmentProposal[]
  readonly worn: readonly CoshhEquipment[]
  readonly onAdd: (proposal: EquipmentProposal) => void
}

/** Equipment proposed for the substances of the task. Each item is added only when the author confirms it. */
const ProposedEquipment = ({ proposals, worn, onAdd }: ProposedEquipmentProps) =>
  proposals.length > 0 && (
    <section aria-label="Proposed for these substances" className={css.proposal}>
      <h3>Proposed for these substances</h3>
      <p className={css.quiet}>
        Proposals by hazard and physical form. Check section 8 of each data sheet, then add what people must wear.
      </p>
      <ul className={css.proposals}>
        {proposals.map((proposal) => (
          <li key={`${proposal.name} ${proposal.detail}`} className={css.bar}>
            <div className={css.what}>
              <strong>{`${proposal.label} (${proposal.standard})`}</strong>
              <span>{proposal.detail}</span>
              <span className={css.quiet}>{`For ${proposal.reasons.join('; ')}`}</span>
            </div>
            <ProposalButton proposal={proposal} isWorn={isProposalWorn(worn, proposal)} onAdd={() => onAdd(proposal)} />
          </li>
        ))}
      </ul>
    </section>
  )

interface ProposalButtonProps {
  readonly proposal: EquipmentProposal
  readonly isWorn: boolean
  readonly onAdd: () => void
}

function ProposalButton({ proposal, isWorn, onAdd }: ProposalButtonProps) {
  if (!proposal.item) return <StatusChip meaning="attention">Not in your PPE library</StatusChip>
  if (isWorn) return <StatusChip meaning="safe">Added</StatusChip>
  return (
    <Button
      size="compact-md"
      variant="default"
      aria-label={`Add ${proposal.label}: ${proposal.detail}`}
      onClick={onAdd}
    >
      Add
    </Button>
  )
}
