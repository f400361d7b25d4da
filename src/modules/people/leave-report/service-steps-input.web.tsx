import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import type { ServiceStep } from '../leave-rules/entitlement.ts'

const numberOf = (typed: string): number => Number(typed.replace(',', '.'))

/** Years of service with the further days that they give. */
export const ServiceStepsInput: CustomInput = ({ value, onChange, error }) => {
  const steps = (Array.isArray(value) ? value : []) as readonly ServiceStep[]
  const change = (n: number, values: Partial<ServiceStep>) =>
    onChange(steps.map((step, at) => (at === n ? { ...step, ...values } : step)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend>Further days after years of service</legend>
      <Stack gap="xs">
        {steps.map((step, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity while they are entered
          <Group key={n} gap="sm" align="flex-end">
            <TextInput
              label="Years of service"
              inputMode="numeric"
              defaultValue={String(step.years)}
              onChange={(e) => change(n, { years: numberOf(e.currentTarget.value) })}
            />
            <TextInput
              label="Further days"
              inputMode="decimal"
              defaultValue={String(step.days)}
              onChange={(e) => change(n, { days: numberOf(e.currentTarget.value) })}
            />
            <Button
              variant="subtle"
              aria-label={`Remove the step after ${step.years} years`}
              onClick={() => onChange(steps.filter((_, at) => at !== n))}
            >
              <IconTrash size={18} aria-hidden />
            </Button>
          </Group>
        ))}
        {error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...steps, { years: 5, days: 1 }])}
          >
            Add step
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}
