import { Checkbox, type CheckboxProps } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import styles from './tick-box.module.css';

type TickBoxProps = Pick<
  CheckboxProps,
  'label' | 'name' | 'value' | 'checked' | 'disabled' | 'onChange' | 'aria-label'
>;

/** A checkbox whose box and label are one target, large enough for a gloved hand. */
export function TickBox(props: TickBoxProps) {
  return <Checkbox {...props} size="md" classNames={{ labelWrapper: styles.label!, body: styles.body! }} />;
}
