/** A forklift from the side, its forks to the right. */
export function ForkliftIcon() {
  return (
    <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
        <path d="M4.2 17.2H2.6v-5.4h3.2V5.2h5l3 6.6v5.4" />
        <path d="M5.8 11.8h8M8.2 17.2h2.2" />
        <path d="M17 3.4v15.2h5" />
        <circle cx="6.2" cy="18" r="2" />
        <circle cx="12.4" cy="18" r="2" />
      </g>
    </svg>
  );
}
