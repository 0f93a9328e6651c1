/** Meanings that words have. The words of a script are listed in this order. */
export const concepts = [
  /** Cancels earlier instructions. */
  "drop",
  /** Warns against setting aside: the opposite of `drop`. */
  "keep",
  /** Names the instructions of a model. */
  "rules",
  /** Means all of it, or everything earlier. */
  "prior",
  /** Says that the speaker's own words are meant: people correct themselves. */
  "own",
  /** Names the subject of ordinary instructions and rules. */
  "topic",
  /** Gives the reader a new role. */
  "role",
  /** Gives a role in so many words; ordinary roles that people get are `honestRole`. */
  "newRole",
  "honestRole",
  /** Says that limits do not hold. */
  "unbound",
  /** Speaks in the voice of an operator. */
  "system",
  /** Asks to show something. */
  "reveal",
  /** Names the instructions that a model keeps for itself. */
  "prompt",
  /** Asks not to say something to the user. */
  "hushUser",
  /** Asks for silence, as people do with each other. */
  "hush",
  /** Mentions a model. */
  "machine",
  /** Addresses a model by its kind. */
  "call",
  /** People whose titles begin like the name of a model. */
  "honestCall",
  /** Asks for something. */
  "order",
  /** Speaks about the user and the task as only a model is spoken to. */
  "task",
  /** Does something with data or money. */
  "act",
  /** Names data that others should not get. */
  "secret",
  /** Names a place on the network. */
  "address",
  /** Asks to use a tool. */
  "useTool",
  "tool",
  /** Names a tool the way code does. */
  "code",
] as const;

/** A meaning that words have. */
export type Concept = (typeof concepts)[number];

type TextOfEach<List extends readonly string[]> = { readonly [Index in keyof List]: string };

/**
 * Words of texts that address a model: for each script, the words of each meaning. `|` separates words, a group
 * `(a|b)` stands for each of its members, `$` ends a whole word, and a word without it is a beginning. Case, accents,
 * invisible characters and punctuation are folded before the comparison, so Latin words are written without accents. No
 * word begins or ends with another one of its meaning. Words of one script are together because they share letters, and
 * similar words are near each other: both make the file smaller when it is compressed. Otherwise the order has no meaning.
 */
export const injectionWords: readonly TextOfEach<typeof concepts>[] = [
  // Latin
  [
    /* drop */ "ignor|bypass|throw out|forget|disregard|discard|override$|overriding|(set|put|lay) aside|dismiss|do (not (follow|adhere)|away with)|need not follow|supersed|no longer (follow|appl)|don't follow|stop (following|obeying)|neglect|cease to follow|pay no attention|abandon|are (void|no longer valid|cancelled)|" +
      "halte dich nicht|außer acht|verwirf|vergiss|beachten sie nicht|(vergessen|verwerfen) sie|(beachte|befolge|vorgaben|anweisungen) nicht|(gelten|regeln|richtlinien) nicht mehr|ubergeh|setz dich uber|missacht|nicht (mehr beacht|langer befolg)|" +
      "(fais|faites) abstraction|(passe|passez) outre|oublie|(laisse|laissez) de cote|ne ((tiens|tenez) (pas|plus) compte|suis (pas|plus)|suivez pas)|" +
      "olvid|no ((tengas|tenga) en cuenta|siga)|(haz|haga|hagan) caso omiso|descarta|pasa por alto|deje de lado|deja de (lado|seguir)|" +
      "trascura|non ((tenere|tenga) conto|considerare|seguire)|lascia perdere|metti da parte|scordati|dimentichi|dimentica|tralascia|" +
      "desconsider|desprez|nao ((leve|tenha) em conta|siga)|(deixe|deixa) de lado|esquec|" +
      "sla geen acht|volg niet|laat buiten beschouwing|(houd|hou) geen rekening|vergeet|negeer|" +
      "nie (zwracaj uwagi|stosuj|przestrzegaj)|zapomnij|zlekcewaz|zignoruj|pomin|odrzuc|" +
      "zapomen|jata huomiotta|se bort fra|nedbej|hagyd figyelmen|unohda|nehled|nu tine (cont|seama)|zabudni|bortse fran|strunta i|ala valita|glem|uita|glom|felejtsd|" +
      "unut|yok say|gormezden gel|goz ardı et|dikkate alma|bos ver|" +
      "phot lo|kesampingkan|sahau maagizo|abaikan|hiraukan|lupakan|hay quen|jangan ikuti|puuza|bo qua|đung tuan|huwag pansinin|kalimutan",
    /* keep */ "do not (ignor|bypass)|(don't|never) (ignor|forget|disregard|overrid|bypass)|(didn't|i|we|people|always) forget|not (to (ignor|forget)|forget|disregard|discard|overrid)|forgetting|(easy|hard|tend|tends) to (ignor|forget)|ignore this (message|email|letter)|often (ignor|forget)|ignorance|forgets|ignores|ignored|(can|safely|may) (ignor|disregard)|ignorant|ignoring|(want|chose|choose|tried) to ignor|disregard this|(cannot|can't|they|who) ignor|" +
      "nie (zapomnij|ignoruj)|non (dimentica|ignor)|nao (esquec|se esquec|ignor)|n'oublie|(vergeet|negeer) niet|niet vergeet|nunca olvid|no (olvid|ignor)|n'ignore|unutma|đung quen|jangan (lupa|abaikan)|nicht (ignorier|missacht|vergess|ubergeh)",
    /* rules */ "direction|directive|guidance|guideline|guardrail|system prompt|briefing|prompts$|constraint|prompt$|commands$|rule$|original task|context$|safeguards|safety protocol|the task you were given|programming|everything (you (were told|have been told)|you've been told)|rules$|restriction|what (you (were (told|asked)|have been told)|you've been told|i told you|was said before)|your (orders|task|current task)|" +
      "regeln|richtlinie|was (dir gesagt|man dir)|regel$|anweisung|befehl|instruktion|auftrag|weisung|vorgabe|" +
      "regle|ce qu'on t'a dit|ordres|consigne|" +
      "regla|ordenes|indicacion|directiva|directri|lo que te (dij|han dicho)|" +
      "regol|ordini|indicazion|direttiv|istruzion|quello che ti e stato detto|" +
      "regra|diretri|comandos|orientac|instruc|ordens|o que lhe foi dito|" +
      "aanwijzing|opdracht|voorschrift|richtlijn|regels|" +
      "polecen|nakaz|zasad|reguł|wytyczn|" +
      "pravid|saan|riktlinj|ohje|instruks|instrukc|anvisning|utasitas|szabaly|reguli|indicati|retningslinje|pokyn|" +
      "talimat|komut|yonerge|kural|yonlendirme|" +
      "aturan|maagizo|arahan|quy tac|chi (thi|dan)|tagubilin|huong dan|menh lenh|perintah|petunjuk",
    /* prior */ "prior|earlier|so far|foregoing|up to now|any$|original|entire|initial|existing|you've been (given|told)|your|former|current|given to you|you (were (given|told)|have (been (given|told)|received)|had been given|received)|until now|all$|above|every|system|" +
      "zuvor|bisherig|vorherig|vorig|vorangegangen|ursprunglich|alles$|obig|vorhergehend|alle$|samtliche|bislang|bis jetzt|fruher|deine|die dir$|" +
      "anterieur|tous|qu'on t'a|recu|jusqu'ici|jusqu'a present|tes$|que tu as|qui t'ont|d'avant|ci-dessus|toutes|" +
      "anterior|todos|previo|todas|previa|tus$|recibid|que (te$|se te)|hasta (ahora|aqui)|" +
      "ricevut|finora|tutti|tutte|prece|iniziali|tue$|originari|che (ti (sono|hanno)|hai)|" +
      "ate agora|tuas$|iniciais|suas$|recebid|que (lhe|voce)|" +
      "oorspronkelijk|bovenstaande|die je (hebt|zijn)|tot nu toe|voorgaande|eerdere|jouw|" +
      "poprzedni|pierwotn|dotychczas|swoje|powyzsz|wczesniejsz|wszystk|" +
      "anterioare|elozo|aiemm|korabbi|ovanstaende|tidligere|foregaende|tidigare|aikaisemm|kaikki|eddigi|edelli|toate|predchoz|vsechny|minden|dosavadn|alla$|" +
      "onceki|butun|simdiye kadar|yukarıdaki|tum$|" +
      "awali|lahat|seluruh|sebelumnya|tat ca|truoc|semua|di atas|ben tren|nakaraan|zote|moi$",
    /* own */ "(her|his) previous|benim onceki|our (previous|prior|earlier|old)|my (previous|prior|earlier|last|instruction|direction|old)|mes (instructions|consignes)|meine (vorherig|anweisung|letzt|fruher)|minhas instruc|their (previous|earlier)|mijn (vorige|eerdere)|mis (instruccion|indicacion)|mie istruzion|moje poprzednie",
    /* topic */ "directions (to|on the)|rules (of|on|about|for the|you know)|anweisungen (zur|zum|im|auf)|guidelines (on|about|for)|istruzioni (di montaggio|del)|instrucciones (de montaje|del)|instructions (on (the|page|how)|for (the|assembl)|in (the|your|my)|if you|du|de montage|about|(i|we) sent|regarding|printed|that came with|and (follow|use) the new)|of the prompts|guidance (on|about)|regels van",
    /* role */ "you (are now|will now be)|your new role|pretend|take on the role|switch to|from (now on you|this (point on you|moment you))|you're now|enter|assume the (role|persona)|(act|acting|behave) as|role play|role-play|roleplay|" +
      "de (ahora en adelante|agora em diante|acum inainte)|su andan itibaren|nyni jsi|bundan sonra|vous etes maintenant|ahora (eres|es usted)|(je|u) bent nu|mostantol|odted|fran och med nu|desormais|von nun an|artık sen|vanaf nu|tu es maintenant|da questo momento|agora (voce e|es)|a partir de (maintenant|ahora|agora)|(jestes|od) teraz|teraz jestes|olet nyt|d'ora in poi|(ora|adesso) sei|fra nu af|ab (jetzt|sofort) bist|du (bist (jetzt|nun)|(ar|er) nu)|" +
      "(kamu|anda|mulai) sekarang|tu bay gio|bay gio ban",
    /* newRole */ "you are now (a$|an$)|you're now (a$|an$)|du bist jetzt ein|agora voce e um|tu es maintenant un|ahora eres un|ora sei un|je bent nu een",
    /* honestRole */ "you are now (a (member|subscriber|shareholder|customer|follower|homeowner|maintainer|moderator|collaborator|contributor|citizen|certified|verified|registered|resident|parent|part|proud|premium|team|guest|graduate|grand|friend|few|beneficiary|step)|an (owner|author|admin of|alum|organi|official|hour))|du bist jetzt ein mitglied|ora sei un membro|ahora eres un miembro",
    /* unbound */ "unfiltered|no (restrictions|rules|guidelines|longer bound)|uncensored|not bound by|root$|without (restriction|any (restriction|ethical)|limits|filter)|unrestricted|free (of|from) all|system administrator|evil|jailbr|(developer|debug|admin|maintenance|god|sudo) mode|do anything now|superuser|dan$|" +
      "ohne (einschrankung|beschrankung)|mode (developpeur|pengembang)|modalita sviluppatore|tryb (dewelopera|programisty)|modo (desarrollador|desenvolvedor|de desenvolvedor)|sans (restriction|limite|filtre)|sin (restriccion|limite|filtro)|sem (restric|limite|filtro)|senza (restrizion|limit|filtr)|khong (gioi han|bi han che)|tanpa batasan|bez (ograniczen|omezeni)|kısıtlama olmadan|zonder beperking|utan begransning|uden begrænsning|gelistirici modu|onbeperkt|entwicklermodus|fara restrictii|sınırsız|korlatozas nelkul|ontwikkelaarsmodus|uneingeschrankt",
    /* system */ "(updated|revised|begin|critical|hidden) instruction|system (message|override|note|notice|update|instruction|command)|begin_instruction|new (directive|orders from|instruction)|this is an important message|override code|important (message (from|to)|instruction|notice to)|instruction update|emergency protocol|end of instructions|(administrator|admin|priority|security) override|" +
      "nieuwe instructie|nouvelle (instruction|consigne)|nowe (instrukcje|polecenie)|nowa instrukcja|neue anweisung|nuove istruzioni|systemnachricht|systemanweisung|novas instrucoes|systeembericht|systemmeldung|nuevas instrucciones|nueva (instruccion|indicacion)|nova instrucao|nuova istruzione|instruksi baru|nouvelles (instructions|consignes)|message (systeme|du systeme)|messaggio (di|del) sistema|mensagem do sistema|mensaje del sistema|wiadomosc systemowa|chi thi moi|yeni talimat|komunikat systemow|sistem mesajı",
    /* reveal */ "pokaz|what (is|are) your|repeat|recite|repete|repite|output$|quote|revele|tiet lo|tell me|revela|herhaal|goster|print$|wiederhol|onthul|leak|ujawnij|zeig|affiche|imprime|powtorz|mostra|muestra|acıkla|nenne|mostre|repita|contents of your system|toon|montre|ripeti|display|disclose|reveal|gib|tampilkan|rivela|ungkapkan|dump|show$",
    /* prompt */ "(the|full|entire) system prompt|deinen systemprompt|deine anweisungen|sistem (komut|istem)|(dein|ton|tu) prompt|tue istruzioni|suas instrucoes|systeemprompt|tus instrucciones|jouw instructies|swoje instrukcje|tes (instructions|consignes)|prompt (systeme|systemow|sistem|(del|di|do) sistema|he thong)|your (system (prompt|message)|prompt|instructions|(initial|original|secret) instruction|configuration|hidden)",
    /* hushUser */ "no need to (mention this|(tell|inform|bother|trouble) the user)|don't ((tell|inform|notify|alert|ask) the user|mention (this|it) to the user|let the user know|reveal this)|without ((telling|notifying|asking) the user|mentioning (it|this) to the user)|conceal this from the user|not (tell the user|be shown to the user|visible to the user)|(hide|keep) (this|it) from the user|do not (mention ((this|it) to the user|to the user)|(inform|notify|let|alert|ask) the user|(disclose|reveal) this)|user (does not need to know|doesn't need to know|(need|should) not know|must not (know|notice)|won't notice)|" +
      "(sag|sage) dem (nutzer|benutzer) nichts|der nutzer (muss davon nichts|darf)|(dem|den) (nutzer|benutzer) nicht|ohne (den|dem) (nutzer|benutzer)|" +
      "l'utilisateur ne doit pas|ne (previens pas|le mentionne pas|mentionne pas cela)|sans (en informer|(informer|prevenir) l'utilisateur)|n'en (informe|parle|parlez) pas|a l'utilisateur|" +
      "(aan|zonder) de gebruiker|bez (informowania|wiedzy uzytkownik)|senza (informare|avvisare|che l'utente)|all'utente|nao conte|sem (informar|avisar)|sin (que el usuario|avisar)|al usuario|ao (usuario|utilizador)|no (se lo (digas|menciones)|lo menciones)|de gebruiker niet|nie ((mow|informuj) uzytkownik|wspominaj)|non (dirlo|menzionarlo)|" +
      "ne mondd el a felhasznalonak|nu spune utilizatorului|ala kerro kayttajalle|fortæl ikke brugeren|beratta inte for anvandaren|kullanıcının haberi|nerikej uzivateli|sag inget till anvandaren|kullanıcıya (soyleme|bahsetme|haber verme)|kullanıcıyı bilgilendirme|" +
      "đung (noi voi nguoi dung|cho nguoi dung)|tanpa (sepengetahuan pengguna|memberi tahu pengguna)|jangan (beri tahu pengguna|beritahu pengguna)|khong can thong bao cho nguoi dung",
    /* hush */ "do not (tell|mention|inform)|without (telling|informing|notifying)|don't (tell|mention)|sin decir|en secret|gizlice|secretly|discretamente|heimlich|silently|discretement|w tajemnicy|di nascosto|verrate|em segredo|quietly|discreetly|covertly|diam-diam|sessizce|po cichu|bi mat|stillschweigend|len lut|stiekem",
    /* machine */ "(automated|the) (assistant|agent)|modele de langage|(language|jazykovy) model|tro ly|dil modeli|chatgpt|ai (assistant|agent|model|tool|system)|modelo de (lenguaje|linguagem)|model jezykowy|ai-assistent|ki-assistent|ki-system|taalmodel|ki-agent|ki-modell|sprachmodell|sprakmodell|llm$|inteligencia artificial|sztuczna inteligencja|gpt$|intelligenza artificiale|intelligence artificielle|claude|modello linguistico|(assistant|agent) ia|tekoaly|copilot|asistan|chatbot|llms$|(virtual|digital|this) assistant|agente (de ia|ai)|assistente (ai|ia|de ia|virtuale)|yapay zeka|(asystent|asystenta) ai|asystencie|asisten|kunstliche intelligenz|nyelvi modell|gemini",
    /* call */ "dear (ai|assistant|agent|chatbot|llm|language model)|instructions for (ai|any ai|assistant|the (ai|assistant)|llm|language model)|instruction for (ai|the (ai|assistant))|whichever ai|the ai handling|hey (ai|assistant|agent)|ai (assistants reading|agent (must|please|should)|(reading|processing|handling) this|must|you must|please)|agent ((reading|processing|handling) this|you must)|(hi|hello) (ai|assistant)|llm (must|please)|message (for (the (ai|assistant)|ai)|to ai)|assistant ((reading|processing|handling) this|you must|must|please|should|shall|is required)|attention (ai|all ai|assistant|agent|chatbot|llm|language model)|note (to (ai|assistant|any (automated|assistant)|llm)|for (ai|the (ai|assistant)))|if (you are (an (ai|assistant|llm)|a (language model|large language))|you're (an ai|a language model)|(an|any) ai)|as (the (language model|ai reading|assistant (reading|you))|an (ai (you|assistant|agent|model|language)|assistant you)|a language model)|to (whichever assistant|the (assistant|ai)|any ai)|model (reading this|must)|" +
      "lieber (assistent|ki)|(querido|estimado) asistente|(caro|gentile|prezado) assistente|(drogi|szanowny) asystencie|an (den assistenten|die ki)|cher assistant|hinweis fur (den assistenten|die ki|ki)|(wenn|falls) du eine ki|kepada asisten|anweisung fur die ki|liebe ki|als je een ai|a (l'attention de (l'ia|l'assistant)|l'assistant)|note pour (l'assistant|l'ia)|instrucciones para (el asistente|la ia)|jesli jestes sztuczna|istruzioni per (l'assistente|l'ia)|instrucoes para (o assistente|a ia)|(uwaga|instrukcja) dla asystenta|nota (para (el asistente|o assistente|la ia)|per l'assistente)|instructions pour l'ia|beste assistent|gui tro ly|wurde der assistent bitte|se (sei (un'ia|un assistente)|voce (e|for) uma ia)|asisten yang terhormat|si (tu es une ia|vous etes une ia|eres una ia)|asistan icin not|voor de assistent|eger bir yapay zeka|(sevgili|sayın) asistan",
    /* honestCall */ "assistant (manager|teacher|team|to the|nurse|referee|store|secretary|coach|cook|chef|professor|producer|principal|director|editor|engineer|dean)",
    /* order */ "merci d|should$|must$|musisz|pourriez|pourrais|veuillez|per favore|podria|prosze|potrebbe|tienes que|potresti|voce deve|vous devez|por favor|gerekiyor|gelieve|vui long|alsjeblieft|tu dois|you (must|should|shall|(have|need) to|will need|will$|are (required|to))|debe$|deve$|devi$|bitte|lutfen|be (grateful if|sure)|your (task|job)|(would|could) you|s'il (te|vous) plait|sofort|immediately|mogłby|moet je|(reply|respond|answer) only|make sure|poderia|responda|konnten|tolong|antworte|repond|appreciate it if|rispond|zou (je|u)|je moet|(musst|sollst) du|konntest|kindly|responde|appreciated if|debes|if you could|harap|silakan|du (musst|sollst)|instead|hay|malısın|please",
    /* task */ "as part of your task|the (user ((wants|asked) you to|(already|previously) approved|has (asked you|authori|already (authori|approved)|approved|consented|changed the task|given permission)|would (like you|also)|also wants|changed the task|consent)|account owner has (approved|authori)|person (you (are assisting|assist)|you're helping))|in order to complete the user|to ((complete|answer) the user's|(fulfil|fulfill) the user)|go on with the original task|continue with the (original task|user's)|if (you are summarizing|you're summarizing)|while helping the user|helping the user with|return to the (user's request|original task)|who you are assisting|behalf of your user|on (the user's behalf|behalf of the user)|before (you (can solve|solve the task|answer the user)|solving the task|answering the user|(responding|replying) to the user)|then (continue with your|resume the task)|when ((summarizing|summarising) this|you (summarize|summarise) this|processing this (document|email|page))|your (user's|principal|operator)|" +
      "l'utilisateur (veut que tu|souhaite que|a (autorise|deja))|per conto dell'utente|namens de gebruiker|antes de responder (al usuario|ao)|kullanıcı (senden|zaten|adına)|der (nutzer (mochte dass du|hat (dich gebeten|bereits zugestimmt))|benutzer mochte dass)|bevor du (dem nutzer|antwortest)|em nome do usuario|im namen des (nutzers|benutzers)|de gebruiker (wil dat je|heeft al)|voordat je antwoordt|atas nama pengguna|pengguna ingin|prima di rispondere all'utente|l'utente (vuole che|ha (autorizzato|gia))|avant de repondre a l'utilisateur|en nombre del usuario|o usuario (quer que|autorizou|ja)|au nom de l'utilisateur|el usuario (quiere que|ha autorizado|ya ha)|zanim odpowiesz|w imieniu uzytkownika|uzytkownik (chce|juz)|thay mat nguoi dung",
    /* act */ "forwarding|transfiere|share$|delete$|include$|invia$|invite|leite|transfiera|transfira|transmets|chuyen|bonific|kirim|borra|transfer|weiterleit|payment|transmettez|trasferisc|encaminhe|reenvie|envie|envoie|envoyez|trimite|envoyer|elimina|xoa|email$|wire$|schick|e-mail$|gonder|stuur|sterge|slet|aktar|kuldd|verstuur|odesli|supprime|upload|pay$|radera|skicka|kopier|submit|paste|gui|deleting|sil$|overmak|copy$|inviare|reenvia|grant$|maak over|ubermittl|verwijder|send|append|apague|add$|attach|losch|laheta|uberweis|overfor|post$|ilet$|iletin|poista|virement|wyslij|przeslij|przelej|przekaz|exfiltrat|usun|posli|smaz|exclua|export|envia|forward$|inoltra|utald|hapus|teruskan",
    /* secret */ "(security|verification|one-time) code|salasana|passwort|all (emails|their emails|messages|files)|credit card|mat khau|passcode|historique de la conversation|(this|entire|full) conversation|(access|auth) token|zugangsdaten|kundendaten|session cookie|secrets$|hasło|hasła|private key|contrasena|secret (key|token)|credential|credenzial|credencia|api (key|anahtar)|sifre|senha|api-key|api_key|(conversation|chat) history|(cle|cles|clave|claves|chiave|chiavi|klucz) api|api-schlussel|cronologia|password|customer (list|data|record)|inbox$|chave (de api|api)|inloggegevens|kennwort|donnees client|klantgegevens|wachtwoord|api-sleutel|contact list|losenord|identifiants|environment variable|datos de los clientes|dane logowania|bank (details|account)|personal data|parola|hesla|kundenliste|adgangskode|historial de|historico da conversa|dati dei clienti|apikey|(mot|mots) de passe|medical record|heslo|haseł|jelszo|jelszav|kata sandi",
    /* address */ "@|iban|http|www$",
    /* useTool */ "gebruik|benutze|nutze|roep|uzyj|goi|wywołaj|kullan|call$|esegui|llama|verwende|appelez|panggil|fuhre|gunakan|(call|use|using|run|trigger) the|cagır|invoke|usa la|ruf|utiliza|ejecuta|execute|chiama|voer|utilise|chame|appelle|usa$",
    /* tool */ "strumento|arac|endpoint|alat|outil|function$|tool$|tools$|fonction|functie|herramienta|narzedzi|api$|fonksiyon|funcion|funzione|cong cu|funkcj|funktion|funcao|ferramenta|werkzeug",
    /* code */ "forward_|remove_|upload_|share_|invite_|grant_|send_|make_|post_|read_|execute_|pay_|transfer_|add_|create_|update_|write_|get_|run_|delete_",
  ],
  // Greek
  [
    /* drop */ "μην ακολουθ|αγνόησε|μη λάβεις|αγνοήστε|ξεχάστε|ξέχνα",
    /* keep */ "",
    /* rules */ "εντολ|οδηγί|κανόν",
    /* prior */ "όλους|όλες|παραπάνω|προηγούμεν",
    /* own */ "",
    /* topic */ "",
    /* role */ "από (εδώ και|τώρα)",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "χωρίς περιορισμ",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "μην (πεις στον χρήστη|ενημερώσεις)",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "στείλε|διάγραψε|μετάφερε",
    /* secret */ "συνθηματικ|κωδικ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Cyrillic
  [
    /* drop */ "проигнорируй|игнорировать|отбрось|не ((обращай|обращайте) внимания|следуй|зважай)|ігноруй|забудь|игнорируй|отмени",
    /* keep */ "не (забудь|игнорируй)",
    /* rules */ "правил|інструкц|указани|предписани|распоряжени|вказів|команд|инструкц|установки",
    /* prior */ "усі$|которые (тебе|ты)|выше|всі$|попередн|предыдущ|ранее|всех|все$|полученн|тебе (говорили|дали)|свои|исходн|прежни",
    /* own */ "мои предыдущие",
    /* topic */ "правила (игры|дорожн)",
    /* role */ "с этого момента|ты теперь|отныне|відтепер|теперь ты",
    /* newRole */ "теперь ты",
    /* honestRole */ "",
    /* unbound */ "(режим|режиме) разработчика|без (ограничений|фильтров)",
    /* system */ "системное сообщение|новое указание|новая инструкция|сообщение системы|новые инструкции",
    /* reveal */ "выведи|покажи|повтори|раскрой",
    /* prompt */ "системный (промпт|запрос)|свои инструкции",
    /* hushUser */ "без ведома пользователя|пользователь не должен|не ((говори|говорите|сообщай|сообщайте|сообщая) пользователю|упоминай|уведомляй пользовател|кажи користувач)",
    /* hush */ "тайно|незаметно|втайне",
    /* machine */ "ассистент|ии-агент|искусственный интеллект|языковая модель",
    /* call */ "(дорогой|уважаемый) ассистент|для ассистента|если (ты (ии|языковая)|вы ии)|ассистенту",
    /* honestCall */ "",
    /* order */ "пожалуйста|должен|нужно|немедленно|не могли бы|должна|мог бы",
    /* task */ "перед тем как ответить|от имени пользователя|пользователь (хочет|уже)|прежде чем ответить",
    /* act */ "удали|надішли|перешли|переведи|скопируй|отправь",
    /* secret */ "учётные данные|пароли|переписк|пароль|данные клиентов|(ключ|ключи) api|паролей",
    /* address */ "",
    /* useTool */ "вызови|используй|запусти",
    /* tool */ "функци|инструмент",
    /* code */ "",
  ],
  // Hebrew
  [
    /* drop */ "תתעלם|התעלם|תשכח|שכח את|התעלמו",
    /* keep */ "",
    /* rules */ "כללים|הנחיות|הוראות",
    /* prior */ "כל ה|שקיבלת|הקודמות",
    /* own */ "",
    /* topic */ "",
    /* role */ "מעכשיו אתה|אתה עכשיו",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "ללא הגבלות",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "אל תספר למשתמש",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "שלח|מחק|העבר",
    /* secret */ "סיסמ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Arabic
  [
    /* drop */ "لا (تتبع|تلتزم)|تغاضى|تجاهل|انس |نظر انداز|نادیده بگیر|فراموش کن",
    /* keep */ "لا (تنس|تتجاهل)",
    /* rules */ "ہدایات|توجيهات|دستورالعمل|إرشادات|دستورات|تعليمات|أوامر|قواعد|قوانین",
    /* prior */ "السابق|جميع|تمام|أعلاه|همه|كل |قبلی",
    /* own */ "",
    /* topic */ "",
    /* role */ "من الآن فصاعدا|از این پس|أنت الآن",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "بدون محدودیت|دون قيود",
    /* system */ "رسالة النظام|تعليمات جديدة",
    /* reveal */ "اعرض|اكشف",
    /* prompt */ "موجه النظام",
    /* hushUser */ "لا (تخبر المستخدم|تذكر ذلك)|بلا إخبار|دون (إخبار|علم المستخدم)|به کاربر نگو",
    /* hush */ "سرا",
    /* machine */ "الذكاء الاصطناعي|المساعد|هوش مصنوعی",
    /* call */ "(عزيزي|إلى) المساعد|إذا كنت ذكاء",
    /* honestCall */ "",
    /* order */ "من فضلك|يرجى|يجب",
    /* task */ "قبل الرد على المستخدم|يريد المستخدم منك|نيابة عن المستخدم",
    /* act */ "حوّل|ارسال کن|أعد توجيه|أرسل|احذف",
    /* secret */ "مفتاح|رمز عبور|كلمات المرور|كلمة (المرور|السر)",
    /* address */ "",
    /* useTool */ "استدع|استخدم",
    /* tool */ "أداة",
    /* code */ "",
  ],
  // scripts of India and Thailand
  [
    /* drop */ "भूल जा|ভুলে যা|उपेक्षा|উপেক্ষা|अनदेखा|नज़रअंदाज़|เพิกเฉย|ไม่ต้องสนใจ|ละเว้น|ลืมคำสั่ง",
    /* keep */ "न भूल",
    /* rules */ "निर्देश|नियम|आदेश|हिदायत|กฎ|নির্দেশ|คำแนะนำ|คำสั่ง",
    /* prior */ "सभी|ก่อนหน้า|আগের|पूर्व|ऊपर|पहले|पिछले|সমস্ত|ข้างต้น|ทั้งหมด",
    /* own */ "",
    /* topic */ "",
    /* role */ "จากนี้ไป|अब (से|तुम|आप)",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "बिना किसी प्रतिबंध|ไม่มีข้อจำกัด",
    /* system */ "(नया|नए) निर्देश",
    /* reveal */ "बता|दिखा",
    /* prompt */ "सिस्टम प्रॉम्प्ट",
    /* hushUser */ "उपयोगकर्ता को (न बत|मत)|यूज़र को (मत|न )|อย่าบอกผู้ใช้",
    /* hush */ "चुपचाप",
    /* machine */ "सहायक|एआई|ผู้ช่วย",
    /* call */ "सहायक के लिए|प्रिय सहायक",
    /* honestCall */ "",
    /* order */ "โปรด|तुरंत|กรุณา|कृपया|करें",
    /* task */ "उपयोगकर्ता (की ओर से|चाहता)",
    /* act */ "โอน|ลบ|हटा|ट्रांसफर|भेज|ส่ง",
    /* secret */ "पासवर्ड|รหัสผ่าน|गोपनीय",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Chinese and Japanese
  [
    /* drop */ "無視|忘掉|无视|别理会|不要理会|不要遵|忘記|不理会|不用理会|不再遵|忽略|忘记|别管|抛开|撇开|" +
      "気にしない|忘れなさ|従わず|破棄し|守らなくて|忘れてくださ|従わない|忘れろ",
    /* keep */ "不要忘记|别忘记|别忘了|忘れず|不可忽略|忘れない|请勿忽略|切勿忽略|不要忽略|不能忽略|無視しない",
    /* rules */ "指引|指示|要求|命令|指令|提示|规则|约束|说明|ルール|设定|設定|說明|プロンプト|規則|制約",
    /* prior */ "此前|上記|之前|一切|原来|以上|以前|上述|前面|従来|今まで|これまで|すべて|全て|先ほど|先前|所有",
    /* own */ "私の|我之前|我的",
    /* topic */ "",
    /* role */ "你的新角色|你现在是|今からあなた|从现在开始|あなたは今|これからあなた|从现在起|これ以降|扮演",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "没有限制|制約なし|不受任何|开发者模式|開發者模式|開発者モード|无限制|制限なし|不受限制|制限のない",
    /* system */ "系统提示|新的指令|新的指示|新しい指示|新たな指示|新しい命令|系统消息|系统指令|新指令|システムメッセージ",
    /* reveal */ "重复|透露|告诉我|表示|显示|教えて|出力|输出",
    /* prompt */ "系统提示|你的提示|你的指令|システムプロンプト",
    /* hushUser */ "不要讓使用者|ユーザーには伝えな|不必告知用户|不要通知用户|不要告诉用户|无需告知用户|不要告知用户|不要向用户|无需通知用户|不要告訴使用者|ユーザーに知らせ|别告诉用户|ユーザーには言わ|ユーザーには知らせ|ユーザーに通知せ|ユーザーに言わ|ユーザーに伝えな|不告诉用户|ユーザーには内緒|不要让用户知道|ユーザーに伝えず",
    /* hush */ "秘密|悄悄|偷偷|こっそり|暗中|密かに",
    /* machine */ "人工知能|言語モデル|语言模型|助手|助理|大模型|人工智能|アシスタント",
    /* call */ "亲爱的ai|尊敬的ai|如果你是ai|尊敬的助手|致ai|亲爱的助手|致助手|致人工智能|アシスタントへ|あなたがaiなら|给ai的|如果你是人工智能|aiへ|给助手的|如果你是一个|アシスタントの方",
    /* honestCall */ "",
    /* order */ "しなければ|ください|请|すること|立即|麻烦|劳驾|請|お手数|必须|务必|勞煩|恐れ入り|せよ",
    /* task */ "以用户的名义|用户希望你|用户已经|用户要求你|用户已授权|ユーザーに代わって|代表用户|ユーザーはあなたに|在回复用户之前|ユーザーはすでに|在回答之前|ユーザーの代わりに|回答する前に",
    /* act */ "アップロード|转发|删除|送って|転送|发送|发给|上传|刪除|送金|削除|送信|转到|转账|汇款|發送|发到|轉發",
    /* secret */ "パスワード|認証情報|会話履歴|密钥|密码|凭证|聊天记录|顧客データ|凭据|客户数据|对话记录|顧客リスト|apiキー|客户名单|密碼",
    /* address */ "",
    /* useTool */ "使用|実行し|执行|使って|调用|呼び出",
    /* tool */ "工具|ツール|関数|函数",
    /* code */ "",
  ],
  // Korean
  [
    /* drop */ "무시하|따르지|무시해|신경 쓰지|잊어|버리고|잊으",
    /* keep */ "무시하지|잊지",
    /* rules */ "명령|규칙|프롬프트|지시|지침|안내 사항",
    /* prior */ "모든|위의|앞의|앞선|기존|지금까지|이전",
    /* own */ "제가",
    /* topic */ "",
    /* role */ "지금부터|(당신은|너는) 이제|이제부터",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "(제한|제약) 없|개발자 모드",
    /* system */ "시스템 메시지|새로운 (지시|지침)|새 지시",
    /* reveal */ "출력|알려|보여",
    /* prompt */ "시스템 프롬프트",
    /* hushUser */ "사용자에게는 (알리지|말하지)|사용자에게 (알리지|말하지|언급하지)|사용자 모르게",
    /* hush */ "몰래|은밀히",
    /* machine */ "어시스턴트|ai 비서|인공지능|언어 모델",
    /* call */ "어시스턴트에게|ai에게|어시스턴트님|ai라면",
    /* honestCall */ "",
    /* order */ "하십시오|하세요|해주세요|해 주세요|해야|번거로|부탁",
    /* task */ "사용자가 (이미|원하)|사용자는 이미|사용자를 대신|답변하기 전에",
    /* act */ "삭제|전송|송금|보내|전달|업로드",
    /* secret */ "비밀번호|암호|대화 기록|고객 명단|api 키",
    /* address */ "",
    /* useTool */ "호출|사용해|실행|사용하",
    /* tool */ "함수|도구",
    /* code */ "",
  ],
];
