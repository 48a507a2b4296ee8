var v,Ve,Qt,A,ye,ee,Be,Q,Ge,ve,be,Yt,K=Symbol.for("pv"),te={},ne=[],Zt=/^m(i|n|o|s|text|space)$/,we=Array.isArray,ke=ne.slice,F=Object.assign;function W(t){t&&t.parentNode&&t.remove()}function ze(t,e,n){var o,r,s,i={},a=arguments.length;for(s in e)s=="key"?o=e[s]:s=="ref"&&typeof t!="function"?r=e[s]:i[s]=e[s];return a>2&&(i.children=a>3?ke.call(arguments,2):n),H(t,i,o,r,null)}function H(t,e,n,o,r){var s={type:t,props:e,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:K,__v:r||++Ve,__i:-1,__u:0};return!r&&v.vnode&&v.vnode(s),s}function oe(t){return t.children}function Y(t,e){this.props=t,this.context=e,this.__g=0}function M(t,e){if(e==null)return t.__&&M(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:M(t)}function en(t){var e,n=t.__v,o=n.__e,r=[],s=[],i=t.__P;i&&((e=F({constructor:K},n)).__v=n.__v+1,v.vnode&&v.vnode(e),xe(i,e,n,t.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||M(n),32&n.__u,s),e.__v=n.__v,e.__.__k[e.__i]=e,et(r,e,s),n.__=n.__e=null,e.__e!=o&&Je(e))}function Je(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),Je(t)}function He(t){(8&t.__g||(t.__g|=8,A.push(t),ee++))&&ye==v.debounceRendering||((ye=v.debounceRendering)||queueMicrotask)(Xe)}function Xe(){try{for(var t,e=1;A.length;)A.length>e&&A.sort(Be),t=A.shift(),e=A.length,8&t.__g&&en(t)}finally{(ee=A.length)&&(ye||queueMicrotask)(Xe)}}function Qe(t,e,n,o,r,s,i,a,p,d,c){var _,f,l,h,y,$,g=o.__k||ne,b=e.length;for(p=tn(n,e,g,p,b),_=0;_<b;_++)(l=n.__k[_])!=null&&(f=~l.__i&&g[l.__i]||te,l.__i=_,$=xe(t,l,f,r,s,i,a,p,d,c),h=l.__e,(f.ref!=l.ref||8&f.__u)&&(f.ref&&Se(f.ref,null,l,f),l.ref&&c.push(l.ref,l.__c||h,l)),y=y||h,4&l.__u?(p=Ye(l,p,t,!f.__v),f.__e&&(f.__e=null)):typeof l.type=="function"&&$!==void 0?p=$:h&&(p=h.nextSibling),l.__u&=-21);return n.__e=y,p}function tn(t,e,n,o,r){var s,i,a,p,d,c,_,f,l,h=n.length,y=h,$=0,g=0,b=t.__k=Array(r);for(s=0;s<r;s++)(i=e[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=b[s]=H(null,i):we(i)?i=b[s]=H(oe,{children:i}):i.constructor===K&&i.__b?i=b[s]=H(i.type,i.props,i.key,i.ref,i.__v):b[s]=i,p=s+$,i.__=t,i.__b=t.__b+1,a=null,~(d=i.__i=nn(i,n,p,y))&&(y--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==p-1?$--:d==p+1?$++:d!=p&&(d>p?$--:$++,g=1)):(~d||(r>h?$--:r<h&&$++),typeof i.type!="function"&&(i.__u|=4))):b[s]=null;if(g){for(c=[],_=[],s=0;s<r;s++)if((i=b[s])&&16&i.__u){for($=0,f=c.length;$<f;)c[l=$+f>>1]<i.__i?$=l+1:f=l;c[$]=i.__i,_[s]=$+1}for($=c.length;s--;)_[s]&&(_[s]==$?$--:b[s].__u|=4)}if(y)for(s=0;s<h;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=M(a)),Ce(a,a));return o}function Ye(t,e,n,o){var r,s,i,a;if(typeof t.type=="function"){if(t.props.__P)return e;if(r=t.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=t,e=Ye(r[s],e,n,!1));return e}for(e&&!e.parentNode&&(e=M(t))&&!e.parentNode&&(e=null),i=t.__e,a=e;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,e):n.insertBefore(i,e||null)),e=i;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function nn(t,e,n,o){var r,s=t.key,i=t.type,a=e[n],p=a&&!(2&a.__u);if(a===null&&s==null||p&&s==a.key&&i==a.type)return n;if(o>(p?1:0)){for(r=n-1;r>=0;r--)if((a=e[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<e.length;r++)if((a=e[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function Ke(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function X(t,e,n,o,r){var s,i;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof o=="string"&&(t.style.cssText=o=""),o)for(e in o)n&&e in n||Ke(t.style,e);if(n)for(e in n)o&&n[e]==o[e]||Ke(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(t.__e||(t.__e={}))[e]=n,n&&o||(i=be[e]||(be[e]=on(e)),(t.__a||(t.__a={}))[e]=ve,s=e!=(e=e.replace(Ge,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,i,s):t.removeEventListener(e,i,s));else{if(r=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function on(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[Q]==null)e[Q]=ve++;else if(e[Q]<this.__a[t])return;return n(v.event?v.event(e):e)}}}function xe(t,e,n,o,r,s,i,a,p,d){var c,_,f,l,h,y,$,g,b,S,w,ge,qe,J,N,je,D,L,E=e.type;if(e.constructor!==K)return null;128&n.__u&&(p=32&n.__u,c=n.__c.__z)&&(e.__u|=p,_=s=[],c.nodeType==8?a=Z(c,s):s.push(c),a=s[0]||a),(c=v.__b)&&c(e);e:if(typeof E=="function"){f=i.length;try{if(g=e.props,b=(c=E.prototype)&&c.render,S=(c=E.contextType)&&o[c.__c],w=c?S?S.props.value:c.__:o,(l=n.__c)?(e.__c=l,2&l.__g&&(l.__g|=1)):(b?e.__c=l=new E(g,w):(e.__c=l=new Y(g,w),l.constructor=E,l.render=rn),S&&S.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),b&&(l.__s||(l.__s=l.state),E.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=F({},l.__s)),F(l.__s,E.getDerivedStateFromProps(g,l.__s)))),h=l.props,y=l.state,l.__v=e,n.__c){if(g!==h&&b&&!E.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(g,w),e.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(g,l.__s,w)===!1){e.__v!=n.__v&&(l.props=g,l.state=l.__s,l.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(P){P&&(P.__=e)}),ne.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),a=M(n);break e}l.componentWillUpdate&&l.componentWillUpdate(g,l.__s,w),b&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(h,y,$)})}else b&&!E.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),b&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=w,l.props=g,l.__P=t,l.__g&=-5,ge=v.__r,qe=b?25:0;do l.__g&=-9,ge&&ge(e),c=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++qe<25);b&&(ne.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=F({},o,l.getChildContext())),b&&n.__c&&l.getSnapshotBeforeUpdate&&($=l.getSnapshotBeforeUpdate(h,y)),J=c&&c.type===oe&&c.key==null?c.props.children:c,g.__P&&(c=a,r=(t=g.__P).namespaceURI,p=s=null,n.props&&n.props.__P!=t&&(n.__k.some(function(P){P&&Ce(P,P)}),n.__k=null),a=n.__k?M(n,0):null),a=Qe(t,we(J)?J:[J],e,n,o,r,s,i,a,p,d),g.__P&&(e.__e=null,a=c),e.__u&=-161,_&&_.some(W),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(P){if(i.length=f,e.__v=null,p||s)if(P&&P.then){if(e.__u|=128|p,s){for(~(D=s.indexOf(a||void 0))||(D=s.length);(L=s[D-1])&&L.nodeType==8;)D--;for(;D<s.length;D++)if(L=s[D])if(s[D]=null,N){if(L==je)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(je=Z(N=L))}}if(!N){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;N=a}(c=Z(N=e.__c.__z||(e.__c.__z=N)))?(e.__e=N,a=c):e.__e=a,a=a&&a.nextSibling}else s&&s.some(W);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),P&&P.then||Ze(e),v.__e(P,e,n)}}else a=e.__e=sn(n.__e,e,n,o,r,s,i,p,d,t);return(c=v.diffed)&&c(e),a}function Z(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function Ze(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(Ze))}function et(t,e,n){for(var o=0;o<n.length;)Se(n[o++],n[o++],n[o++]);v.__c&&v.__c(e,t),t.some(function(r){try{t=r.__h,r.__h=[],t.some(function(s){s.call(r)})}catch(s){v.__e(s,r.__v)}})}function sn(t,e,n,o,r,s,i,a,p,d){var c,_,f,l,h,y,$,g,b=n.props||te,S=e.props,w=e.type;if(w=="svg"?r="http://www.w3.org/2000/svg":w=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((h=s[c])&&(w?h.localName==w:h.nodeType==3)){t=h,s[c]=null;break}}if(!t){if(g=d.ownerDocument||document,!w)return g.createTextNode(S);t=g.createElementNS(r,w,S.is?S:d),a&&(v.__m&&v.__m(e,s),a=!1),s=null}if(w){if(d=w=="template"&&t.content||t,s=w=="textarea"&&S.defaultValue!=null?null:s&&ke.call(d.childNodes),!a&&s)for(b={},c=0;c<t.attributes.length;c++)b[(h=t.attributes[c]).name]=h.value;for(c in b)h=b[c],c=="dangerouslySetInnerHTML"?f=h:c=="children"||c in S||c=="value"&&"defaultValue"in S||c=="checked"&&"defaultChecked"in S||X(t,c,null,h,r);for(c in S)h=S[c],c=="children"?l=h:c=="dangerouslySetInnerHTML"?_=h:c=="value"?y=h:c=="checked"?$=h:a&&typeof h!="function"||b[c]===h||X(t,c,h,b[c],r);_?(a||f&&(_.__html==f.__html||_.__html==t.innerHTML)||(t.innerHTML=_.__html),e.__k=[]):(f&&(t.textContent=""),(w=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Zt.test(w))&&(r="http://www.w3.org/1999/xhtml"),Qe(d,we(l)?l:[l],e,n,o,r,s,i,s?s[0]:n.__k&&M(n,0),a,p),s&&s.some(W)),a&&w!="textarea"||(c="value",w=="progress"&&y==null?t.removeAttribute(c):y==null||y===t[c]&&(w!="progress"||y)||X(t,c,y,b[c],r),c="checked",$!=null&&$!=t[c]&&X(t,c,$,b[c],r))}else b===S||a&&t.data==S||(t.data=S);return t}function Se(t,e,n,o){try{typeof t=="function"?e?e.__x=t(e)||1:o&&(o=o.__c||o.__e)&&(e=o.__x)&&(o.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(r){v.__e(r,n)}}function Ce(t,e,n){var o,r,s,i;if(v.unmount&&v.unmount(t),!(o=t.ref)||o.current&&o.current!=t.__e||Se(o,null,e,t),o=t.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){v.__e(a,e)}o.__P=o.__n=null}if(o=t.__k)for(i=0;i<o.length;i++)o[i]&&Ce(o[i],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(o=t.__c)&&(o=o.__z)&&(r=Z(o,s=[]))&&(o==t.__e&&s.some(W),W(r),W(o)),n||W(t.__e),t.__e=t.__c=t.__=null}function rn(t,e,n){return this.constructor(t,n)}function tt(t,e){var n,o,r,s;v.__&&v.__(t,e),e.nodeType==9&&(e=e.documentElement),o=(n=t&&32&t.__u)?null:e.__k,e.__k=H(oe,{children:[t]}),r=[],s=[],xe(e,e.__k,o||te,te,e.namespaceURI,o?null:e.firstChild?ke.call(e.childNodes):null,r,o?o.__e:e.firstChild,n,s),et(r,e.__k,s),e.__k.props.children=null}v={__e:function(t,e,n,o){for(var r,s,i;e=e.__;)if((r=e.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(t)),r.componentDidCatch&&(r.componentDidCatch(t,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){t=a}}throw ee=0,t}},Ve=0,Qt=function(t){return t!=null&&t.constructor===K},Y.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof t=="function"&&(t=t(F({},n),this.props)),t&&(F(n,t),this.__v&&(e&&this.__k.push(e),He(this)))},Y.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),He(this))},Y.prototype.render=oe,A=[],ee=0,Be=function(t,e){return t.__v.__b-e.__v.__b},Q=Symbol(),Ge=/(PointerCapture)$|Capture$/i,ve=0,be={},Yt=0;var ot=function(t,e,n,o){var r;e[0]=0;for(var s=1;s<e.length;s++){var i=e[s++],a=e[s]?(e[0]|=i?1:2,n[e[s++]]):e[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[e[++s]]=a:i===6?o[1][e[++s]]+=a+"":i?(r=t.apply(a,ot(t,a,n,["",null])),o.push(r),a[0]?e[0]|=2:(e[s-2]=0,e[s]=r)):o.push(a)}return o},nt=new Map;function st(t){var e=nt.get(this);return e||(e=new Map,nt.set(this,e)),(e=ot(this,e.get(t)||(e.set(t,e=function(n){for(var o,r,s=1,i="",a="",p=[0],d=function(f){s===1&&(f||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,f,i):s===3&&(f||i)?(p.push(3,f,i),s=2):s===2&&i==="..."&&f?p.push(4,f,0):s===2&&i&&!f?p.push(5,0,!0,i):s>=5&&((i||!f&&s===5)&&(p.push(s,0,i,r),s=6),f&&(p.push(s,f,0,r),s=6)),i=""},c=0;c<n.length;c++){c&&(s===1&&d(),d(c));for(var _=0;_<n[c].length;_++)o=n[c][_],s===1?o==="<"?(d(),p=[p],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[c][_+1]===">")?(d(),s===3&&(p=p[0]),s=p,(p=p[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,p=p[0])}return d(),p}(t)),e),arguments,[])).length>1?e:e[0]}var u=st.bind(ze);var U=class extends Error{code;status;constructor(e,n,o){super(n),this.code=e,this.status=o}},an="The server cannot be reached. The page tries again by itself; start the server if it has ended",se=class{info(){return R("GET","/info")}folders(e){return R("GET",`/folders?path=${encodeURIComponent(e)}`)}runs(e){let n=new URLSearchParams({limit:"50"});return e.search!==""&&n.set("search",e.search),e.before!==null&&n.set("before",e.before),R("GET",`/runs?${n}`)}start(e){return R("POST","/runs",e)}run(e){return R("GET",C(e))}answer(e,n){return R("POST",`${C(e)}/answer`,n)}cancel(e){return R("POST",`${C(e)}/cancel`)}resume(e,n){return R("POST",`${C(e)}/resume`,n)}files(e){return R("GET",`${C(e)}/files`)}async sources(e){let{sources:n}=await R("GET",`${C(e)}/sources`);return n}async diff(e){return await(await rt("GET",`${C(e)}/diff`)).text()}undo(e){return R("POST",`${C(e)}/undo`)}};function C(t){return`/runs/${encodeURIComponent(t)}`}async function R(t,e,n){return await(await rt(t,e,n)).json()}async function rt(t,e,n){let o=n===void 0?{method:t}:{method:t,body:JSON.stringify(n),headers:{"content-type":"application/json"}},r=await fetch(e,o).catch(()=>{throw new U("offline",an,0)});if(!r.ok)throw await un(r);return r}async function un(t){let{error:e}=await t.json().catch(()=>({})),n=e?.message??`The server answered with status ${t.status}`;return new U(e?.code??"internal",n,t.status)}var ln={"run.start":!0,"run.end":!0,"run.queued":!0,"turn.start":!0,"text.delta":!0,"tool.start":!0,"tool.progress":!0,"tool.end":!0,"tools.added":!0,"program.start":!0,"program.input":!0,"program.end":!0,question:!0,"question.end":!0,attached:!0,compact:!0,permission:!0,plan:!0,retry:!0,state:!0,warning:!0};function it(t,e,n){let o=new EventSource(`${C(t)}/events?after=${e}`),r=[],s=0,i=()=>{s=0;let p=r;r=[],p.length>0&&n.onEvents(p)},a=({data:p,lastEventId:d})=>{let{v:c,time:_,...f}=JSON.parse(p);r.push({n:Number(d),time:_,event:f}),s||=document.hidden?setTimeout(i,200):requestAnimationFrame(i)};for(let p of Object.keys(ln))o.addEventListener(p,a);return o.addEventListener("open",()=>n.onLink("live")),o.addEventListener("error",()=>{if(o.readyState!==EventSource.CLOSED)return n.onLink("away");i(),n.onClose()}),()=>{o.close(),r=[]}}function at(t,e){let n=e.filter(({n:p})=>p>t.last),o=n.at(-1);if(!o)return t;let{plan:r,ahead:s,turn:i}=t,a={items:[...t.items],open:new Map(t.open),rest:{plan:r,ahead:s,turn:i},n:0,time:""};for(let{n:p,time:d,event:c}of n)a.n=p,a.time=d,cn(a,c);return{...a.rest,items:a.items,open:a.open,last:o.n}}function cn(t,e){switch(e.type){case"run.queued":t.rest.ahead=e.ahead;return;case"run.start":t.rest.ahead=null,t.items.length>0&&I(t,"info","The run goes on."),t.open.clear();return;case"turn.start":return t.rest.turn=e.n,V(t);case"plan":t.rest.plan=e.plan;return;case"text.delta":return pn(t,e);case"question":return V(t);case"question.end":return dn(t,e);case"run.end":return fn(t,e);default:return"id"in e?_n(t,e):yn(t,e)}}function pn(t,{text:e,restart:n}){let o=t.items.at(-1);o?.kind==="text"&&o.isOpen?t.items[t.items.length-1]={...o,text:n?e:o.text+e}:e!==""&&re(t,{kind:"text",text:e,isOpen:!0})}function V(t){let e=t.items.at(-1);e?.kind!=="text"||!e.isOpen||(e.text.trim()===""?t.items.pop():t.items[t.items.length-1]={...e,isOpen:!1})}function dn(t,{answer:e}){let n=e===null?"Nobody waits for an answer any more.":`Answered: ${e}`;I(t,"info",n)}function fn(t,e){V(t),t.open.clear(),t.rest.ahead=null;let{termination_reason:n,answer:o=null,changed:r=[],refused:s=[]}=e,i=t.items.at(-1),a=i?.kind==="text"&&o!==null&&i.text.trim()===o.trim();re(t,{kind:"end",end:{reason:n,answer:a?null:o,changed:r,refused:s}})}function _n(t,e){if(e.type==="tool.start")return V(t),t.open.set(e.id,t.items.length),re(t,{kind:"call",call:hn(e,t.time)});let n=t.open.get(e.id),o=n===void 0?void 0:t.items[n];n===void 0||o?.kind!=="call"||(t.items[n]={...o,call:mn(o.call,e)},e.type==="tool.end"&&t.open.delete(e.id))}function hn({id:t,tool:e,arguments:n},o){return{id:t,tool:e,input:n,started:o,progress:null,programs:[],refusals:[],result:null,isRecorded:!1}}function mn(t,e){switch(e.type){case"tool.progress":{let{type:n,id:o,...r}=e;return{...t,progress:r}}case"tool.end":return{...t,result:e.result,isRecorded:e.verdict==="recorded",progress:null};case"program.start":{let{program:n,argv:o,command:r=o.join(" "),sandboxed:s}=e;return{...t,programs:[...t.programs,{program:n,words:r,sandboxed:s,end:null}]}}case"program.end":return{...t,programs:t.programs.map(n=>$n(n,e))};case"permission":return e.decision==="refused"?{...t,refusals:[...t.refusals,gn(e)]}:t;default:return t}}function $n(t,{program:e,exit_code:n,reason:o}){return t.program!==e?t:{...t,end:o==="exited"?`exit code ${n}`:o}}function gn(t){return"rule"in t?{text:`Forbidden by the rule ${t.rule}`,flag:null}:{text:`No permission to ${t.kind} ${t.target}`,flag:t.flag}}function yn(t,e){if(e.type==="warning"&&I(t,"warning",e.message),e.type==="retry"){let n=Math.round(e.wait_ms/100)/10;I(t,"warning",`${e.message}. Try ${e.n} of ${e.max} in ${n} s.`)}e.type==="compact"&&I(t,"info",`Older turns were summed up: ${e.before_tokens} to ${e.after_tokens} tokens.`),e.type==="tools.added"&&I(t,"info",`New tools: ${e.tools.join(", ")}`),e.type==="attached"&&I(t,"info",`Attached: ${e.path}`)}function I(t,e,n){V(t),re(t,{kind:"note",tone:e,text:n})}function re(t,e){t.items.push({...e,key:t.n})}function Te(t){let e=t.replace(/^#/,"");if(e==="/runs")return{at:"list"};let[,n]=/^\/runs\/([^/]+)$/.exec(e)??[];if(n===void 0)return{at:"new"};try{return{at:"run",id:decodeURIComponent(n)}}catch{return{at:"new"}}}function ie(t){return`#/runs/${encodeURIComponent(t)}`}function ut(t,e){let n=t.last+.5;return{...t,items:[...t.items,{kind:"said",text:e,key:n}]}}var lt={last:0,items:[],open:new Map,plan:null,ahead:null,turn:0};var ae=class{#e;#t=new Set;constructor(e){this.#e=e}get value(){return this.#e}change(e){let n=e(this.#e);if(n!==this.#e){this.#e=n;for(let o of this.#t)o()}}listen(e){return this.#t.add(e),()=>void this.#t.delete(e)}};function ct(t){return{route:t,info:null,list:{search:"",rows:[],next:null,isLoaded:!1},run:null,problem:null,isLocked:!1,spoken:""}}function pt(t){return{id:t,now:null,transcript:lt,link:"live"}}var bn=4e3,dt=8e3,vn=new Set(["run.queued","run.start","run.end","question","question.end"]),wn={queued:"The run waits for its turn.",running:"The run is at work.",waiting:"The run waits for your answer.",interrupted:"The run was stopped.",completed:"The run is completed.",failed:"The run failed."},ue=class{api=new se;store;#e=()=>{};#t=0;constructor(){this.store=new ae(ct(Te(location.hash)))}begin(){addEventListener("hashchange",()=>this.#c()),setInterval(()=>!document.hidden&&void this.#s(),bn),this.#l(),this.searchRuns(""),this.#c()}async start(e){let n=await this.attempt(this.api.start(e));return n?(location.hash=ie(n.id),this.#s(),!0):!1}async resume(e,n){let o=await this.attempt(this.api.resume(e,n)),{run:r}=this.store.value;if(!o||r?.id!==e)return o!==null;let s=n.prompt===void 0?r.transcript:ut(r.transcript,n.prompt);return this.#n(e,{now:o,link:"live",transcript:s}),this.#r(e),!0}async answer(e,n){let o=await this.attempt(this.api.answer(e,n));return o&&this.#n(e,{now:o}),o!==null}async cancel(e){let n=await this.attempt(this.api.cancel(e));n&&this.#n(e,{now:n})}async searchRuns(e){this.#a({search:e}),await this.#s()}async moreRuns(){let{search:e,next:n}=this.store.value.list,o=await this.attempt(this.api.runs({search:e,before:n}));o&&this.#a({rows:[...this.store.value.list.rows,...o.runs],next:o.next})}async attempt(e){try{let n=await e;return this.#o({problem:null}),n}catch(n){return this.#u(n),null}}closeProblem(){this.#o({problem:null})}async#l(){let e=await this.attempt(this.api.info());e?this.#o({info:e}):this.store.value.isLocked||setTimeout(()=>void this.#l(),dt)}async#s(){let{search:e,rows:n,isLoaded:o}=this.store.value.list;try{let r=await this.api.runs({search:e,before:null});if(this.store.value.list.search!==e)return;let s=new Set(r.runs.map(({id:d})=>d)),i=o&&n.length>r.runs.length?n.slice(r.runs.length):[],a=r.next===null?[]:i.filter(({id:d})=>!s.has(d)),p=a.length>0?this.store.value.list.next:r.next;this.#a({rows:[...r.runs,...a],next:p,isLoaded:!0}),this.store.value.problem?.code==="offline"&&this.#o({problem:null})}catch(r){this.#u(r)}}#c(){let e=Te(location.hash);this.#e(),this.#o({route:e,problem:null,run:e.at==="run"?pt(e.id):null,spoken:""}),e.at==="run"&&(this.#i(e.id),this.#r(e.id))}#r(e){this.#e();let{run:n}=this.store.value;if(n?.id!==e)return;let o=it(e,n.transcript.last,{onEvents:r=>this.#d(e,r),onLink:r=>{r==="live"&&(this.#t=0),this.#n(e,{link:r})},onClose:()=>void this.#p(e)});this.#e=o}async#p(e){this.#e();let n=await this.#i(e),{run:o,isLocked:r}=this.store.value;if(o?.id!==e||r)return;if(n&&o.transcript.last>=n.events&&!["queued","running","waiting"].includes(n.state))return this.#n(e,{link:"closed"});this.#n(e,{link:n?"live":"away"}),this.#t=Math.min(dt,this.#t*2+500);let s=setTimeout(()=>this.#r(e),this.#t);this.#e=()=>clearTimeout(s)}#d(e,n){let{run:o}=this.store.value;o?.id===e&&(this.#n(e,{transcript:at(o.transcript,n)}),n.some(({event:r})=>vn.has(r.type))&&this.#i(e))}async#i(e){try{let n=await this.api.run(e);return this.#n(e,{now:n}),n}catch(n){return this.store.value.run?.id===e&&this.#u(n),null}}#n(e,n){this.store.change(o=>{if(o.run?.id!==e)return o;let r=o.run.now?.state,s=n.now&&n.now.state!==r?wn[n.now.state]:o.spoken;return{...o,run:{...o.run,...n},spoken:s}})}#a(e){this.store.change(n=>({...n,list:{...n.list,...e}}))}#o(e){this.store.change(n=>({...n,...e}))}#u(e){let{code:n,message:o,status:r}=e instanceof U?e:{code:"internal",message:String(e),status:0};r===401?this.#o({isLocked:!0}):this.#o({problem:{code:n,message:o}})}};var q,x,Pe,ft,Re=Object.is,le=0,wt=[],Ee=[],k=v,_t=k.__b,ht=k.__r,mt=k.diffed,$t=k.__c,gt=k.unmount,yt=k.__;function ce(t,e){k.__h&&k.__h(x,t,le||e),le=0;var n=x.__H||(x.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function m(t){return le=1,kn(kt,t)}function kn(t,e,n){var o=ce(q++,2);if(o.t=t,!o.__c&&(o.__=[n?n(e):kt(void 0,e),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Re(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=x,!x.__f)){x.__f=!0;var r=x.shouldComponentUpdate;x.shouldComponentUpdate=function(s,i,a){var p=this.__H;if(!p)return!0;var d=!1,c=this.props!=s;if(p.__.some(function(f){f.__N&&(d=!0,Re(f.__[0],f.__N[0])||(c=!0))}),r){var _=r.call(this,s,i,a);return d?_||c:_}return!d||c}}return o.__}function T(t,e){var n=ce(q++,3);!k.__s&&Oe(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,x.__H.__h.push(n))}function Ae(t,e){var n=ce(q++,4);!k.__s&&Oe(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,x.__h.push(n))}function O(t){return le=5,Me(function(){return{current:t}},[])}function Me(t,e){var n=ce(q++,7);return Oe(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function xn(){var t;do{for(;t=Ee.shift();)try{B(t)}catch(n){k.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=wt.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(B),e.__h.some(De),e.__h=[]}catch(n){e.__h=[],k.__e(n,t.__v)}}}while(Ee.length)}k.__b=function(t){x=null,_t&&_t(t)},k.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),yt&&yt(t,e)},k.__r=function(t){ht&&ht(t),q=0;var e=(x=t.__c).__H;e&&(Pe==x?x.__h=[]:(e.__h.some(B),e.__h.some(De),q=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Pe=x},k.diffed=function(t){mt&&mt(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&vt(wt.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Pe=x=null},k.__c=function(t,e){e.some(function(n){try{n.__h.some(B),n.__h=n.__h.filter(function(o){return!o.__||De(o)})}catch(o){n.__h=[function(){throw o}]}}),$t&&$t(t,e)},k.unmount=function(t){gt&&gt(t);var e,n,o=t.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,vt(Ee.push(r))}else B(r)}catch(s){e=s}}),o.__H=void 0,e&&k.__e(e,o.__v))};var bt=typeof requestAnimationFrame=="function";function Sn(t){var e,n=function(){clearTimeout(o),bt&&cancelAnimationFrame(e),setTimeout(t)},o=setTimeout(n,35);bt&&(e=requestAnimationFrame(n))}function vt(t){t!=1&&ft==k.requestAnimationFrame||((ft=k.requestAnimationFrame)||Sn)(xn)}function B(t){var e=x,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),x=e}function De(t){var e=x;t.__c=t.__(),x=e}function Oe(t,e){return!t||t.length!=e.length||e.some(function(n,o){return!Re(n,t[o])})}function kt(t,e){return typeof e=="function"?e(t):e}function Ne(t){if(t<1e3)return`${Math.round(t)} ms`;let e=t/1e3;return e<60?`${e.toFixed(1)} s`:`${Math.floor(e/60)} min ${Math.round(e%60)} s`}function St(t,e){let n=Math.max(0,(e-Date.parse(t))/1e3);return Number.isFinite(n)?n<60?"now":n<3600?`${Math.floor(n/60)} min ago`:n<86400?`${Math.floor(n/3600)} h ago`:t.slice(0,10):""}function Ct(t){if(t===null)return"";let e=i=>typeof t[i]=="number"?t[i]:null,[n,o,r,s]=[e("input_tokens"),e("output_tokens"),e("calls"),e("cost")];return[n!==null&&`${xt(n)} tokens in`,o!==null&&`${xt(o)} out`,r!==null&&`${r} ${r===1?"call":"calls"}`,s!==null&&`$${s<1?s.toFixed(4):s.toFixed(2)}`].filter(i=>i!==!1).join(", ")}function Tt(t){if(typeof t!="object"||t===null)return"";let n=Object.values(t).filter(o=>["string","number"].includes(typeof o)).map(String).map(o=>o.split(`
`)[0]).join("  ");return n.length>120?`${n.slice(0,119)}\u2026`:n}function Pt(t){return t.split(/[,\n]/).map(e=>e.trim()).filter(e=>e!=="")}function xt(t){return t<1e3?String(t):t<1e6?`${(t/1e3).toFixed(1)}k`:`${(t/1e6).toFixed(1)}M`}function Rt({state:t,control:e}){let{list:{search:n,rows:o,next:r,isLoaded:s},route:i}=t,a=i.at==="run"?i.id:null;return u`<nav class="runs" aria-label="Runs">
    <a class="button primary new-run" href="#/">New run</a>
    <label class="search"><span class="unseen">Search runs</span>
      <input type="search" placeholder="Search runs" value=${n} onInput=${({currentTarget:d})=>void e.searchRuns(d.value)} /></label>
    <ul>${o.map(d=>u`<${Cn} key=${d.id} row=${d} isShown=${d.id===a} />`)}</ul>
    ${s&&o.length===0&&u`<p class="hint">${n?"No run has these words.":"No run yet."}</p>`}
    ${r!==null&&u`<button type="button" class="quiet-button" onClick=${()=>void e.moreRuns()}>
      Show older runs</button>`}
  </nav>`}function Cn({row:t,isShown:e}){return u`<li><a href=${ie(t.id)} aria-current=${e?"page":void 0}>
    <span class="row-task">${t.task||"(no words)"}</span>
    <span class="row-facts"><${Le} state=${t.state} /><span>${St(t.updated,Date.now())}</span></span>
  </a></li>`}function Le({state:t}){return u`<span class=${`state state-${t}`}>${t}</span>`}function G({text:t}){return u`<div class="prose plain-text">${t}</div>`}function pe({text:t}){let e=t.replace(/\n$/,"").split(`
`);return u`<pre class="diff" tabindex="0" role="group" aria-label="Changes">${e.map(n=>u`<span class=${`line ${Tn(n)}`}>${n}\n</span>`)}</pre>`}function Tn(t){return/^(\+\+\+|---|diff |index )/.test(t)?"head":t.startsWith("@@")?"place":t.startsWith("+")?"added":t.startsWith("-")?"removed":""}function Et({result:t}){let{text:e,images:n,error:o}=t;return u`<div class="result">
    ${o&&u`<p class="error-text"><b>${o.code}</b> ${o.message}</p>`}
    ${e&&u`<pre tabindex="0" role="group" aria-label="Result">${e}</pre>`}
    ${n.map(({mime_type:r,data:s},i)=>u`<img src=${`data:${r};base64,${s}`} alt=${`Picture ${i+1} of the result`} />`)}
  </div>`}function Dt({control:t,now:e}){let[n,o]=m(null),[r,s]=m(null),{id:i,updated:a}=e;if(T(()=>{let _=!1;return t.attempt(Promise.all([t.api.files(i),t.api.diff(i)])).then(f=>{f&&!_&&o({files:f[0],diff:f[1]})}),()=>void(_=!0)},[i,a,r]),!n)return u`<p class="hint">Reading the changes…</p>`;let{files:{changed:p,artifacts:d},diff:c}=n;return u`<div class="changes">
    ${r&&u`<${Rn} undone=${r} />`}
    ${p.length===0&&u`<p class="hint">The run changed no file.</p>`}
    <ul class="changed">${p.map(({path:_,status:f,added:l,removed:h})=>u`<li key=${_}><span class=${`status status-${f}`}>${f}</span> <code>${_}</code>
        ${l!==null&&u`<span class="plus">+${l}</span>`}
        ${h!==null&&u`<span class="minus">−${h}</span>`}</li>`)}</ul>
    ${e.can.undo&&p.length>0&&u`<${Pn} control=${t} id=${i} onDone=${s} />`}
    ${c&&u`<${pe} text=${c} />`}
    ${d.length>0&&u`<${En} id=${i} artifacts=${d} />`}
  </div>`}function Pn({control:t,id:e,onDone:n}){let o=O(null),r=async()=>{o.current?.close();let s=await t.attempt(t.api.undo(e));s&&n(s)};return u`
    <div class="undo">
      <button type="button" class="danger" onClick=${()=>o.current?.showModal()}>Undo all changes…</button>
      <dialog ref=${o} aria-labelledby="undo-title">
        <h2 id="undo-title">Undo all changes?</h2>
        <p>All files get back what was in them before the run. Files that were changed later are left as they are.</p>
        <div class="actions">
          <button type="button" class="danger" onClick=${()=>void r()}>Undo</button>
          <button type="button" onClick=${()=>o.current?.close()}>Keep the changes</button>
        </div>
      </dialog>
    </div>
  `}function Rn({undone:{done:t,refused:e}}){return u`<div class="undone" role="status">
    <p>${t.length} ${t.length===1?"file was":"files were"} put back.</p>
    ${e.length>0&&u`<ul>${e.map(({path:n,reason:o})=>u`<li key=${n}><code>${n}</code>: ${o}</li>`)}</ul>`}
  </div>`}function En({id:t,artifacts:e}){return u`
    <section>
      <h2 class="small-head">Files of the session</h2>
      <ul class="artifacts">${e.map(({name:n,type:o,bytes:r})=>{let s=`${C(t)}/files/${n.split("/").map(encodeURIComponent).join("/")}`;return u`<li key=${n}><a href=${s} target="_blank" rel="noopener">${n}</a>
        <span class="hint">${Math.ceil(r/1024)} KiB</span>
        ${o.startsWith("image/")&&u`<img src=${s} alt=${n} loading="lazy" />`}</li>`})}</ul>
    </section>
  `}var Dn={not_started:"\u25CB",in_progress:"\u25D0",completed:"\u25CF",blocked:"\u2715"};function At({plan:t}){let e=t.steps.filter(({status:n})=>n==="completed").length;return u`
    <details class="plan" open>
      <summary><b>${t.title||"Plan"}</b> <span class="hint">${e} of ${t.steps.length} done</span></summary>
      <ol>${t.steps.map(({text:n,status:o,notes:r},s)=>u`<li key=${s} class=${`step step-${o}`} aria-current=${o==="in_progress"?"step":void 0}>
        <span class="step-sign" aria-hidden="true">${Dn[o]}</span>
        <span>${n} <span class="unseen">(${o.replaceAll("_"," ")})</span>
          ${r&&u`<span class="hint">${r}</span>`}</span></li>`)}</ol>
    </details>
  `}function Mt(t){let[e,n]=m(t.value);return T(()=>(n(t.value),t.listen(()=>n(t.value))),[t]),e}function j(t){return t.key!=="Enter"||t.isComposing||t.keyCode===229?!1:t.ctrlKey||t.metaKey?!0:!t.shiftKey&&!t.altKey&&!matchMedia("(pointer: coarse)").matches}function Ot(t){let{question:{kind:e,text:n}}=t;return u`<section class="question" aria-label=${e==="consent"?"Consent is needed":"A question"}>
    <h2>${e==="consent"?"Allow this call?":"The run asks"}</h2>
    <${G} text=${n} />
    ${e==="consent"?u`<${Mn} ...${t} />`:u`<${An} ...${t} />`}
  </section>`}function An({question:{id:t},onAnswer:e}){let[n,o]=m(""),[r,s]=m(!1),i=async a=>{a.preventDefault(),!(n.trim()===""||r)&&(s(!0),await e({question:t,answer:n}),s(!1))};return u`
    <form onSubmit=${i}>
      <label class="field"><span class="field-name">Your answer</span>
          <textarea rows="3" value=${n}
            onInput=${({currentTarget:a})=>o(a.value)}
            onKeyDown=${a=>j(a)&&void i(a)}></textarea></label>
      <div class="actions"><button type="submit" class="primary" disabled=${n.trim()===""||r}>
          Answer</button></div>
    </form>
  `}function Mn({question:t,onAnswer:e}){let{id:n,tool:o,input:r,change:s,targets:i=[],always:a}=t,[p,d]=m(""),[c,_]=m(!1),f=async y=>{if(c)return;_(!0);let $=p.trim();await e({question:n,consent:y,...y==="no"&&$!==""&&{reason:$}}),_(!1)},l=y=>{y.target instanceof HTMLInputElement||y.ctrlKey||y.metaKey||y.altKey||(y.key==="y"&&f("once"),y.key==="a"&&a&&f("run"),y.key==="n"&&f("no"))},h=O(null);return T(()=>{document.activeElement===document.body&&h.current?.focus()},[]),u`<div class="consent" ref=${h} tabindex="-1" onKeyDown=${l}>
    ${o&&u`<p><code>${o}</code></p>`}
    ${s?u`<${pe} text=${s} />`:r!==void 0&&u`<pre tabindex="0" role="group" aria-label="Arguments">${JSON.stringify(r,null,2)}</pre>`}
    ${i.length>0&&u`<ul class="targets">${i.map((y,$)=>u`<li key=${$}>${On(y)}</li>`)}</ul>`}
    <label class="field"><span class="field-name">Reason, if you refuse</span>
      <input type="text" value=${p} placeholder="The model reads it"
        onInput=${({currentTarget:y})=>d(y.value)} /></label>
    <div class="actions">
      <button type="button" class="primary" disabled=${c} onClick=${()=>void f("once")}>
        Allow once <kbd>y</kbd></button>
      ${a&&u`<button type="button" disabled=${c} title=${a} onClick=${()=>void f("run")}>
        Allow in this run <kbd>a</kbd></button>`}
      <button type="button" class="danger" disabled=${c} onClick=${()=>void f("no")}>
        Refuse <kbd>n</kbd></button>
    </div>
    ${a&&u`<p class="hint">“Allow in this run” covers: ${a}</p>`}
  </div>`}function On(t){return typeof t!="object"||t===null?String(t):Object.values(t).filter(e=>typeof e!="object").map(String).join(" ")}var Nt=["image/png","image/jpeg","image/webp","image/gif"],Nn=25*1024*1024,We=12;function de(){let[t,e]=m([]),[n,o]=m("");return{pictures:t,problem:n,async add(r){let s=[...r],i=s.filter(({type:c,size:_})=>Nt.includes(c)&&_<=Nn),a=await Promise.all(i.map(Ln));e(c=>[...c,...a].slice(0,We));let p=s.find(c=>!i.includes(c)),d=t.length+i.length>We;o(p?`${p.name} is left out: take PNG, JPEG, WebP or GIF with at most 25 MiB.`:d?`At most ${We} pictures go with a prompt.`:"")},remove:r=>e(s=>s.filter((i,a)=>a!==r)),clear:()=>e([])}}function Ln(t){return new Promise((e,n)=>{let o=new FileReader;o.onload=()=>e({name:t.name,data_url:String(o.result)}),o.onerror=()=>n(o.error),o.readAsDataURL(t)})}function fe({add:t}){let e=(n,o)=>{let r=[...o?.files??[]].filter(({type:s})=>s.startsWith("image/"));r.length!==0&&(n.preventDefault(),t(r))};return{onPaste:n=>e(n,n.clipboardData),onDrop:n=>e(n,n.dataTransfer),onDragOver:n=>n.preventDefault()}}function _e({add:t}){let e=({currentTarget:n})=>{t([...n.files??[]]),n.value=""};return u`<label class="button quiet-button">
    <input class="unseen" type="file" multiple accept=${Nt.join(",")} onChange=${e} />Add pictures
  </label>`}function he({pictures:t,problem:e,remove:n}){return t.length===0&&e===""?null:u`<div class="pictures">
    ${t.map(({name:o="Picture",data_url:r},s)=>u`
        <figure key=${r.slice(-64)}>
          <img src=${r} alt=${o} />
          <button type="button" aria-label=${`Remove ${o}`} onClick=${()=>n(s)}>×</button>
        </figure>
      `)}
    ${e&&u`<p class="hint warning" role="alert">${e}</p>`}
  </div>`}function Lt({id:t,control:e}){let[n,o]=m(""),[r,s]=m(!1),i=de(),a=async p=>{if(p.preventDefault(),r)return;s(!0);let d=await e.resume(t,{...n.trim()!==""&&{prompt:n},...i.pictures.length>0&&{images:[...i.pictures]}});s(!1),d&&(o(""),i.clear())};return u`
    <form class="resume prompt-box" onSubmit=${a} ...${fe(i)}>
      <label class="unseen" for="more">What to do next</label>
      <textarea id="more" rows="2" placeholder="What to do next. Leave it empty to go on." value=${n}
        onInput=${({currentTarget:p})=>o(p.value)}
        onKeyDown=${p=>j(p)&&void a(p)}></textarea>
      <${he} ...${i} />
      <div class="actions"><${_e} ...${i} />
          <button type="submit" class="primary" disabled=${r}>Resume</button></div>
    </form>
  `}function Wt({control:t,now:{id:e,updated:n}}){let[o,r]=m(null);return T(()=>{let s=!1;return t.attempt(t.api.sources(e)).then(i=>{i&&!s&&r(i)}),()=>void(s=!0)},[e,n]),o?o.length===0?u`<p class="hint">The run used no sources.</p>`:u`<ol class="sources">${o.map(({number:s,title:i,url:a})=>u`<li key=${s} value=${s}>${/^https?:/.test(a)?u`<a href=${a} target="_blank" rel="noopener noreferrer">${i||a}</a>`:i||a}<span class="hint path">${a}</span></li>`)}</ol>`:u`<p class="hint">Reading the sources…</p>`}function me({text:t}){let[e,n]=m(!1),o=async()=>{await navigator.clipboard.writeText(t),n(!0),setTimeout(()=>n(!1),2e3)};return u`<button type="button" class="small" onClick=${()=>void o()}>${e?"Copied":"Copy"}</button>`}function Ft({call:t,isAtWork:e}){let{tool:n,input:o,result:r,refusals:s,progress:i}=t,[a,p]=m(!1),d=({currentTarget:c})=>p(c.open);return u`<details class=${`call call-${Wn(t,e)}`} onToggle=${d}>
    <summary>
      <span class="call-name">${n}</span>
      <span class="call-input">${r?.metadata.summary??Tt(o)}</span>
      <span class="call-facts"><${Fn} call=${t} isAtWork=${e} /></span>
    </summary>
    ${a&&u`<${Un} call=${t} />`}
  </details>
  ${i&&!r&&u`<${jn} progress=${i} />`}
  ${s.map((c,_)=>u`<${Hn} key=${_} refusal=${c} />`)}
  ${!a&&r?.images.length?u`<${Kn} call=${t} />`:null}`}function Wn({result:t},e){return t?t.ok?"done":"failed":e?"running":"lost"}function Fn({call:{result:t,started:e,isRecorded:n},isAtWork:o}){if(t){let r=t.ok?"":`${t.error?.code??"failed"} \xB7 `;return u`${r}${Ne(t.metadata.duration_ms)}${n?" \xB7 recorded":""}`}return o?u`<${In} since=${e} />`:u`did not end`}function In({since:t}){let[e,n]=m(Date.now());return T(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(o)},[]),u`<span class="busy">${Ne(Math.max(0,e-Date.parse(t)))}</span>`}function Un({call:{tool:t,input:e,result:n,programs:o}}){let r=JSON.stringify(e,null,2)??"";return u`<div class="call-body">
    <p class="small-head">Arguments</p>
    <pre tabindex="0" role="group" aria-label=${`Arguments of ${t}`}>${r}</pre>
    ${o.length>0&&u`<${qn} programs=${o} />`}
    <p class="small-head">Result</p>
    ${n?u`<${Et} result=${n} />`:u`<p class="hint">There is none yet.</p>`}
    ${n?.warnings.map(s=>u`<p class="warning" key=${s}>${s}</p>`)}
  </div>`}function qn({programs:t}){return u`
    <p class="small-head">Programs</p>
    <ul class="programs">${t.map(({program:e,words:n,sandboxed:o,end:r})=>u`<li key=${e}><code>${n}</code>
        <span class="hint">${o?"in the sandbox":"without a sandbox"}, ${r??"runs"}</span></li>`)}</ul>
  `}function jn({progress:t}){let{message:e,output:n,done:o,total:r}=t;return u`<div class="progress">
    ${e&&u`<span class="hint">${e}</span>`}
    ${o!==void 0&&r!==void 0&&u`<progress value=${o} max=${r} aria-label="Progress">${o} of ${r}</progress>`}
    ${n&&u`<pre class="last-lines">${n}</pre>`}
  </div>`}function Hn({refusal:{text:t,flag:e}}){return u`<div class="refusal"><p><b>Refused.</b> ${t}.</p>
    ${e&&u`<p>Allow it with <code>${e}</code> when the server starts. <${me} text=${e} /></p>`}
  </div>`}function Kn({call:{tool:t,result:e}}){return u`<div class="result-pictures">${e?.images.map(({mime_type:n,data:o},r)=>u`<img key=${r} src=${`data:${n};base64,${o}`} alt=${`Picture ${r+1} of ${t}`} />`)}</div>`}var Fe=200;function It({items:t,isAtWork:e}){let[n,o]=m(Fe);Bn(t,e);let r=Math.max(0,t.length-n);return u`<div class="transcript">
    ${r>0&&u`<button type="button" class="quiet-button" onClick=${()=>o(n+Fe)}>
      Show ${Math.min(r,Fe)} of ${r} earlier lines</button>`}
    ${t.slice(r).map(s=>u`<${Gn} key=${s.key} item=${s} isAtWork=${e} />`)}
  </div>`}var Vn=120;function Bn(t,e){let n=O(!0);Ae(()=>{let o=()=>{let{scrollHeight:r,clientHeight:s,scrollTop:i}=document.documentElement;n.current=r-s-i<Vn};return addEventListener("scroll",o,{passive:!0}),()=>removeEventListener("scroll",o)},[]),Ae(()=>{e&&n.current&&scrollTo({top:document.documentElement.scrollHeight})},[t,e])}function Gn({item:t,isAtWork:e}){return Me(()=>u`<div class=${`item item-${t.kind}`}>${zn(t,e)}</div>`,[t,e])}function zn(t,e){switch(t.kind){case"text":return u`<${G} text=${t.text} />`;case"call":return u`<${Ft} call=${t.call} isAtWork=${e} />`;case"said":return u`<p class="said">${t.text}</p>`;case"note":return u`<p class=${`note ${t.tone}`}>${t.text}</p>`;case"end":return u`<${Jn} end=${t.end} />`}}function Jn({end:{reason:t,answer:e,changed:n,refused:o}}){return u`<div class="end">
    ${e!==null&&u`<${G} text=${e} />`}
    <p class="note">Ended: ${t.replaceAll("_"," ")}${n.length>0&&u`, ${n.length} ${n.length===1?"file":"files"} changed`}.</p>
    ${o.length>0&&u`
      <details class="refused">
        <summary>${o.length} refused</summary>
        <ul>${o.map(({tool:r,message:s,flags:i},a)=>u`<li key=${a}><b>${r}</b> ${s}
          ${i.length>0&&u`<span><code>${i.join(" ")}</code> <${me} text=${i.join(" ")} /></span>`}</li>`)}</ul>
      </details>
    `}
  </div>`}var z=["Run","Changes","Sources"];function Ut({run:t,control:e}){let[n,o]=m("Run"),{now:r,link:s}=t;return r?u`<article class="run" aria-labelledby="run-title">
    <${Xn} now=${r} control=${e} />
    ${s==="away"&&u`<p class="warning banner" role="status">The server is away. The page goes on when it is back.</p>`}
    <${Qn} tab=${n} onChange=${o} />
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${n}`}>
      ${n==="Run"&&u`<${Yn} run=${t} now=${r} control=${e} />`}
      ${n==="Changes"&&u`<${Dt} now=${r} control=${e} />`}
      ${n==="Sources"&&u`<${Wt} now=${r} control=${e} />`}
    </div>
  </article>`:u`<p class="hint">Reading the run…</p>`}function Xn({now:t,control:e}){let{id:n,state:o,task:r,agent:s,model:i,workspace:a,policy:p,usage:d,can:c}=t,_=[s,i,p,Ct(d)].filter(f=>f);return u`
    <header class="run-head">
      <h1 id="run-title">${r||"Run"}</h1>
      <div class="run-line">
        <${Le} state=${o} />
        <span class="hint">${_.join(" \xB7 ")}</span>
        <span class="hint path">${a}</span>
      </div>
      <div class="actions">
          ${c.cancel&&u`<button type="button" class="danger" onClick=${()=>void e.cancel(n)}>Stop</button>`}
          <a class="button quiet-button" href=${`${C(n)}/export`} download=${`run-${n}.html`}>Export as HTML</a>
        </div>
    </header>
  `}function Qn({tab:t,onChange:e}){return u`<div role="tablist" class="tabs" aria-label="Parts of the run" onKeyDown=${({key:o,currentTarget:r})=>{let s=o==="ArrowRight"?1:o==="ArrowLeft"?-1:0;if(s===0)return;let i=(z.indexOf(t)+s+z.length)%z.length;e(z[i]),r.children[i].focus()}}>${z.map(o=>u`
        <button type="button" role="tab" key=${o} id=${`tab-${o}`} aria-controls="panel"
          aria-selected=${o===t?"true":"false"} tabindex=${o===t?0:-1}
          onClick=${()=>e(o)}>${o}</button>
      `)}</div>`}function Yn({run:{transcript:t},now:e,control:n}){let{id:o,state:r,questions:s,can:i,error:a}=e,p=r==="running"||r==="waiting",d=c=>n.answer(o,c);return u`<div class="work">
    ${t.plan&&u`<${At} plan=${t.plan} />`}
    <${It} items=${t.items} isAtWork=${p} />
    ${r==="queued"&&u`<p class="note busy">${Zn(t.ahead)}</p>`}
    ${r==="running"&&u`<p class="note busy">At work</p>`}
    ${a&&u`<div class="error-box"><b>${a.code}</b> ${a.message}</div>`}
    ${s.map(c=>u`<${Ot} key=${c.id} question=${c} onAnswer=${d} />`)}
    ${i.resume&&u`<${Lt} key=${o} id=${o} control=${n} />`}
  </div>`}function Zn(t){return t?t===1?"One run is before it.":`${t} runs are before it.`:"The run waits for its turn."}function qt({control:t,folder:e,onChoose:n}){let[o,r]=m(!1);return u`<div class="field">
    <span class="field-name" id="folder-name">Folder</span>
    <button type="button" class="folder-button" aria-describedby="folder-name" onClick=${()=>r(!0)}>
      <span class="path">${e||"\u2026"}</span></button>
    ${o&&u`
      <${eo} control=${t} folder=${e} onChoose=${n}
        onClose=${()=>r(!1)} />
    `}
  </div>`}function eo({control:t,folder:e,onChoose:n,onClose:o}){let r=O(null),[s,i]=m(null),[a,p]=m(""),d=f=>t.api.folders(f).then(l=>{i(l),p("")},l=>p(String(l.message)));T(()=>{r.current?.showModal(),d(e)},[]);let c=()=>{s&&n(s.path),r.current?.close()},_=t.store.value.info?.workspaces??[];return u`<dialog ref=${r} class="folders" aria-labelledby="folders-title" onClose=${o}>
    <h2 id="folders-title">Choose a folder</h2>
    ${_.length>1&&u`<div class="choices">${_.map(f=>u`<button type="button" key=${f} onClick=${()=>void d(f)}>${f}</button>`)}</div>`}
    <p class="path" aria-live="polite">${s?.path??e}</p>
    ${a&&u`<p class="warning" role="alert">${a}</p>`}
    <ul class="folder-list">
      ${s?.parent&&u`<li><button type="button" onClick=${()=>void d(s.parent)}>↑ Up</button></li>`}
      ${s?.folders.map(({name:f,path:l})=>u`<li key=${l}><button type="button" onClick=${()=>void d(l)}>${f}</button></li>`)}
    </ul>
    ${s?.folders.length===0&&u`<p class="hint">No folder in it.</p>`}
    ${s?.truncated&&u`<p class="hint">There are more folders than are shown.</p>`}
    <div class="actions">
      <button type="button" class="primary" disabled=${!s} onClick=${c}>Choose this folder</button>
      <button type="button" onClick=${()=>r.current?.close()}>Cancel</button>
    </div>
  </dialog>`}var jt={policy:"",denyRead:"",denyWrite:"",denyNet:"",denyRun:"",isNetDenied:!1,isRunDenied:!1,tools:null};function Ie(t){let{policy:e,tools:n,isNetDenied:o,isRunDenied:r}=t,[s,i,a,p]=[t.denyRead,t.denyWrite,t.denyNet,t.denyRun].map(Pt),d={...(e==="read-only"||e==="read-only-no-net")&&{policy:e},...n&&{tools:[...n]},...s.length>0&&{deny_read:s},...i.length>0&&{deny_write:i},...(o||a.length>0)&&{deny_net:o||a},...(r||p.length>0)&&{deny_run:r||p}};return Object.keys(d).length>0?d:void 0}function Ht({info:t,fields:e,onChange:n}){let o=i=>n({...e,...i}),r=(i,a,p)=>u`<label class="field"><span class="field-name">${a}</span>
      <input type="text" placeholder=${p} value=${e[i]} spellcheck="false"
        onInput=${({currentTarget:d})=>o({[i]:d.value})} /></label>`,s=(i,a)=>u`<label class="tick"><input type="checkbox" checked=${e[i]}
      onChange=${()=>o({[i]:!e[i]})} />${a}</label>`;return u`
    <details class="permissions">
      <summary>Permissions<span class="hint">${to(e)}</span></summary>
      <p class="hint">The server decides what is allowed. A run can do without some of it.</p>
      <div class="grid">
          <label class="field"><span class="field-name">Policy</span>
            <select value=${e.policy} onChange=${({currentTarget:i})=>o({policy:i.value})}>
              <option value="">As the server: ${t.policy}</option>
              <option value="read-only">read-only: nothing is changed</option>
              <option value="read-only-no-net">read-only-no-net: and no network</option>
            </select></label>
          ${r("denyRead","Paths not to read",".env, secrets")}
          ${r("denyWrite","Paths not to write","docs, package.json")}
          ${r("denyNet","Hosts not to reach","example.com")}
          ${r("denyRun","Programs not to start","git, npm")}
        </div>
      <div class="ticks">${s("isNetDenied","No network at all")}${s("isRunDenied","No programs at all")}</div>
      <${no} info=${t} tools=${e.tools} onChange=${i=>o({tools:i})} />
    </details>
  `}function to(t){let e=Object.keys(Ie(t)??{}).length;return e===0?"as the server allows":`${e} taken away`}function no({info:t,tools:e,onChange:n}){let[o,r]=m(""),s=o.toLowerCase(),i=t.tools.filter(({full_name:p})=>p.toLowerCase().includes(s)),a=p=>{let d=e??[];n(d.includes(p)?d.filter(c=>c!==p):[...d,p])};return u`<fieldset class="tools">
    <legend>Tools</legend>
    <label class="tick"><input type="checkbox" checked=${e===null}
      onChange=${()=>n(e===null?[]:null)} />All tools of the agent</label>
    ${e!==null&&u`
      <div>
        <label class="field"><span class="unseen">Search tools</span><input type="search" value=${o}
              placeholder="Search tools" onInput=${({currentTarget:p})=>r(p.value)} /></label>
        <div class="tool-list" role="group" aria-label="Tools" tabindex="0">${i.map(({full_name:p,description:d})=>u`<label class="tick" key=${p} title=${d}><input type="checkbox"
          checked=${e.includes(p)} onChange=${()=>a(p)} />${p}</label>`)}</div>
      </div>
    `}
  </fieldset>`}function Vt({info:t,control:e}){let[n,o]=m(""),[r,s]=m(t.agent),[i,a]=m(""),[p,d]=m(t.workspace),[c,_]=m(jt),[f,l]=m(!1),h=de(),y=async()=>{if(n.trim()===""||f)return;l(!0);let g=Ie(c);await e.start({prompt:n,agent:r,workspace:p,...i!==""&&{model:i},...g&&{grants:g},...h.pictures.length>0&&{images:[...h.pictures]}}),l(!1)},$=g=>{g.preventDefault(),y()};return u`
    <form class="start" onSubmit=${$} ...${fe(h)}>
      <h1>What shall be done?</h1>
      <div class="prompt-box">
        <label class="unseen" for="prompt">Task</label>
        <textarea id="prompt" rows="5" autofocus placeholder="Describe the task. Paste or drop pictures."
          value=${n}
          onInput=${({currentTarget:g})=>o(g.value)}
          onKeyDown=${g=>j(g)&&$(g)}></textarea>
        <${he} ...${h} />
        <div class="actions">
          <${_e} ...${h} />
          <button type="submit" class="primary" disabled=${n.trim()===""||f}>Start run</button>
        </div>
      </div>
      <div class="grid">
        <${Kt} name="Agent" value=${r} values=${t.agents.map(({name:g})=>g)} onChange=${s}
          hint=${t.agents.find(({name:g})=>g===r)?.description??""} />
        <${Kt} name="Model" value=${i} values=${["",...t.models]} onChange=${a}
          none="as the agent says" />
        <${qt} control=${e} folder=${p} onChoose=${d} />
      </div>
      <${Ht} info=${t} fields=${c} onChange=${_} />
    </form>
  `}function Kt({name:t,value:e,values:n,onChange:o,none:r="",hint:s=""}){return u`<label class="field"><span class="field-name">${t}</span>
    <select value=${e} onChange=${({currentTarget:i})=>o(i.value)}>
      ${n.map(i=>u`<option key=${i} value=${i}>${i||r}</option>`)}
    </select>
    ${s&&u`<span class="hint">${s}</span>`}
  </label>`}var $e=["auto","light","dark"],Bt="bulkhead-theme";function Ue(t=zt()){document.documentElement.dataset.theme=t}function Gt(){let[t,e]=m(zt()),n=$e[($e.indexOf(t)+1)%$e.length],o=()=>{localStorage.setItem(Bt,n),Ue(n),e(n)},r={auto:"\u25D0",light:"\u2600",dark:"\u263E"}[t];return u`
    <button type="button" class="icon-button" onClick=${o}
      aria-label=${`Colours: ${t}. Change to ${n}`} title=${`Colours: ${t}`}>${r}</button>
  `}function zt(){let t=localStorage.getItem(Bt);return $e.find(e=>e===t)??"auto"}function Jt({control:t}){let e=Mt(t.store),{route:n,problem:o,spoken:r,isLocked:s}=e;T(()=>{document.title=ro(e)});let i=a=>{a.preventDefault(),document.querySelector("#main")?.focus()};return u`<div class=${`page at-${n.at}`}>
    <a class="skip" href="#main" onClick=${i}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/">bulkhead</a>
      <a class="runs-link" href="#/runs">Runs</a>
      <span class="grow"></span>
      ${e.info&&u`<span class="hint version">${e.info.version}</span>`}
      <${Gt} />
    </header>
    ${!s&&u`<${Rt} state=${e} control=${t} />`}
    <main id="main" tabindex="-1">
      ${o&&u`<div class="error-box" role="alert"><p><b>${o.code}</b> ${o.message}.</p>
        <button type="button" class="small" onClick=${()=>t.closeProblem()}>Close</button></div>`}
      ${s?u`<${so} />`:u`<${oo} state=${e} control=${t} />`}
    </main>
    <div class="unseen" role="status">${r}</div>
  </div>`}function oo({state:{route:t,info:e,run:n},control:o}){return t.at==="run"&&n?u`<${Ut} key=${n.id} run=${n} control=${o} />`:t.at==="list"?u`
      <div>
        <h1>Runs</h1>
        <p class="hint">Choose a run, or start a new one.</p>
      </div>
    `:e?u`<${Vt} info=${e} control=${o} />`:u`<p class="hint">Asking the server…</p>`}function so(){return u`
    <form class="token" onSubmit=${e=>{e.preventDefault();let n=new FormData(e.currentTarget).get("token");location.assign(`/?token=${encodeURIComponent(String(n))}`)}}>
      <h1>The server wants its token</h1>
      <p>Open the address that <code>bulkhead serve</code> printed at its start, or enter the token of it.</p>
      <label class="field"><span class="field-name">Token</span>
          <input type="password" name="token" autocomplete="off" required /></label>
      <div class="actions"><button type="submit" class="primary">Open</button></div>
    </form>
  `}function ro({run:t}){return t?.now?`${{waiting:"? ",running:"\u2026 ",queued:"\u2026 ",failed:"\u2715 ",interrupted:"",completed:"\u2713 "}[t.now.state]}${t.now.task.slice(0,60)} - bulkhead`:"bulkhead"}Ue();var Xt=new ue;Xt.begin();tt(u`<${Jt} control=${Xt} />`,document.querySelector("#page"));
